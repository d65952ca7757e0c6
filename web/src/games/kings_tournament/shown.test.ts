import { describe, expect, it } from "vitest";
import { ALL, JOUST_REVEAL, NOTHING, schedule } from "./count";
import { jousted, lastOf, NOBODY, turnsThen, underWay, type Column, type Pair } from "./shown";
import type { Joust, Turn, View } from "./shown";

const VIEW: View = {
  viewer: 0,
  phase: "joust",
  pending: [0, 1],
  joust_margin: 3,
  melee_margin: 7,
  best_of: 3,
  joust: "committed",
  game: 1,
  scores: [0, 0],
  drawn: 0,
  mounted: [true, true],
  jousts: 0,
  reveals: 0,
  hand: ["1", "5", "5", "8", "D"],
  choice: [],
  chosen: [false, false],
  hand_sizes: [5, 5],
  deck_sizes: [28, 28],
  discards: [[], []],
  unseen: [[], []],
  sure: [[], []],
  aside: [[], []],
  line: [[], []],
  leader: null,
  led: null,
  turns: [],
  last_joust: null,
  last_turn: null,
  wanted: 3,
  to_win: 2,
  hits: [0, 0],
  unhorsed: null,
  last: null,
  fallen: null,
  winners: [],
};

function pair(cards: [string, string], worths: [number, number]): Pair {
  const ahead = worths[0] - worths[1];
  const [margin, winner] = [Math.abs(ahead), ahead ? Number(ahead < 0) : null];
  return { cards, worths, margin, winner, hit: margin >= 7, tie: ahead ? null : "block" };
}

// The first example of the rules.
const JOUST: Joust = {
  discards: [
    ["1", "2"],
    ["3", "4"],
  ],
  pairs: [pair(["10", "7"], [10, 7]), pair(["5", "B"], [0, 0]), pair(["D", "1"], [2, 1])],
  deciding: 1,
  winner: 0,
  fates: ["decides", "close", "close"],
};
const UNDECIDED: Joust = { ...JOUST, deciding: null, fates: ["close", "close", "close"] };
const AT_ONCE: Joust = { ...JOUST, deciding: 3, fates: ["ignored", "ignored", "decides"] };
const TURN: Turn = { leader: 1, pair: pair(["D", "8"], [16, 8]) };

/** The cards of a seat, as one sees them: `?` lies face down, `-` is an empty place. */
function cards(columns: readonly Column[], seat: number): string {
  return columns
    .map((column) => (column.cards[seat] ? (column.cards[seat].text ?? "?") : "-"))
    .join(" ");
}

describe("a joust being prepared", () => {
  it("shows the cards placed so far, and nothing of the other player", () => {
    const columns = underWay(VIEW, { made: ["5", "D"], sent: false });
    expect(cards(columns, 0)).toBe("5 D - - -");
    expect(cards(columns, 1)).toBe("- - - - -");
  });

  it("shows of a player who is ready only that five cards lie there", () => {
    const columns = underWay({ ...VIEW, chosen: [false, true] }, NOBODY);
    expect(cards(columns, 1)).toBe("? ? ? ? ?");
  });

  it("shows one's own line and discards once it is committed", () => {
    const ready = { ...VIEW, chosen: [true, false], choice: ["5", "8", "D"], hand: ["1", "5"] };
    expect(cards(underWay(ready, NOBODY), 0)).toBe("5 8 D 1 5");
  });

  it("step by step, puts discards aside first and then card by card", () => {
    const asked = { ...VIEW, phase: "discard", wanted: 2 };
    const discarding = underWay(asked, { made: ["1"], sent: false });
    expect(cards(discarding, 0)).toBe("- - - 1 -");
    const asides = [
      ["1", "5"],
      ["2", "2"],
    ];
    const beat = { ...VIEW, phase: "beat", aside: asides, line: [["8"], ["3"]], hand: ["5", "D"] };
    const ready = { ...beat, wanted: 1, chosen: [false, true] };
    const columns = underWay(ready, { made: ["D"], sent: true });
    expect(cards(columns, 0)).toBe("8 D - 1 5");
    expect(cards(columns, 1)).toBe("3 ? - 2 2");
    expect(columns[1]?.cards[0]?.state).toBe("sent");
  });
});

describe("a joust being counted", () => {
  it("turns the pairs up from the first, then scores them from the third", () => {
    expect(cards(jousted(JOUST, NOTHING), 1)).toBe("? ? ? 3 4");
    const seen = schedule(JOUST).map(([, count]) => {
      const columns = jousted(JOUST, count).slice(0, 3);
      const scored = columns.map(({ pair, fate }) => fate ?? pair?.margin ?? "");
      return `${cards(columns, 1)} ${scored.join()}`;
    });
    expect(seen).toEqual([
      "7 ? ? ,,",
      "7 B ? ,,",
      "7 B 1 ,,",
      "7 B 1 ,,1",
      "7 B 1 ,0,1",
      "7 B 1 decides,0,1",
      "7 B 1 decides,0,1",
    ]);
  });

  it("says of pairs after the deciding one that they do not count, once that is told", () => {
    const fates = schedule(AT_ONCE).map(([, count]) =>
      jousted(AT_ONCE, count)
        .slice(0, 3)
        .map(({ fate }) => fate),
    );
    expect(fates.slice(-2)).toEqual([
      [null, null, "decides"],
      ["ignored", "ignored", "decides"],
    ]);
  });

  it("is shown completely in the time that it says", () => {
    const ends = [JOUST, UNDECIDED, AT_ONCE].map((joust) => schedule(joust).at(-1)?.[0]);
    expect(Math.max(...ends.map(Number))).toBe(JOUST_REVEAL);
  });

  it("ends with what the last joust shows when it is looked at again", () => {
    expect(schedule(UNDECIDED).at(-1)?.[1]).toEqual(ALL);
  });
});

describe("a melee", () => {
  it("shows the turns since the last draw, and the card that waits for an answer", () => {
    const view = { ...VIEW, phase: "answer", turns: [TURN], leader: 1, led: "9" };
    const columns = underWay(view, { made: ["3"], sent: true });
    expect(cards(columns, 0)).toBe("D 3 - - -");
    expect(cards(columns, 1)).toBe("8 9 - - -");
    expect(columns.map(({ pair }) => pair?.margin ?? null)).toEqual([8, null, null, null, null]);
    expect(columns.slice(0, 2).map(({ leader }) => leader)).toEqual([1, 1]);
  });

  it("shows the last turn of a hand with those before it, though new hands are drawn", () => {
    const before = { ...VIEW, phase: "answer", turns: [TURN, TURN] };
    const last: Turn = { ...TURN, leader: 0 };
    const after = { ...VIEW, phase: "lead", turns: [], last_turn: last };
    expect(turnsThen(after, before)).toEqual([TURN, TURN, last]);
    expect(turnsThen(after, null)).toEqual([last]);
  });
});

describe("what was decided last", () => {
  it("is a joust or a turn, as the view says", () => {
    const both = { ...VIEW, last_joust: JOUST, last_turn: TURN };
    expect(lastOf(VIEW)).toBeNull();
    expect(lastOf({ ...both, last: "joust" })).toEqual({ joust: JOUST });
    expect(lastOf({ ...both, last: "turn" })).toEqual({ turn: TURN });
  });
});
