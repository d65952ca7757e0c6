import { describe, expect, test } from "vitest";
import type { Told, TriatriTrick, TriatriView } from "../../protocol";
import type { Scene } from "../drawing";
import { LAST_STEP, places, reveal, shown, steps } from "./shown";

const NO_GEMS = { R: 0, B: 0, G: 0 };

function view(more: Partial<TriatriView>): TriatriView {
  return {
    viewer: 0,
    players: 3,
    phase: "play",
    pending: [0],
    round: 1,
    trick: 2,
    hand: ["R3", "X"],
    hand_sizes: [2, 2, 2],
    aside: 1,
    has_bid: [false, false, false],
    bid: null,
    bids: [["R4", "B5", "G6"]],
    decided: "number",
    known: [[], [], []],
    gems: [NO_GEMS, NO_GEMS, NO_GEMS],
    supply: { R: 6, B: 6, G: 6 },
    table: null,
    tricks: [],
    last_trick: null,
    scores: [0, 0, 0],
    ending: null,
    tallies: [],
    ahead: [],
    winners: [],
    beats: { R: "G", B: "R", G: "B" },
    ...more,
  };
}

function told(event: string, values: Told["values"] = {}, ends = ""): Told {
  return { index: 0, event, values, ends, clause: "", story: 0 } as unknown as Told;
}

function scene(
  of: Partial<TriatriView>,
  fresh: readonly Told[] = [],
  resting = false,
): Scene<TriatriView> {
  return {
    view: view(of),
    seats: [],
    names: ["Anna", "Ben", "Cleo"],
    reader: null,
    fresh,
    resting,
  };
}

const lying = (card: string, worth: number, factor = 1) => {
  return { card, worth, factor, highest: worth === 8 };
};

/** B5, then G4 (8), then X, which takes G4. */
const TRICK: TriatriTrick = {
  start: 0,
  gem: "B",
  source: "supply",
  played: ["B5", "G4", "X"],
  lies: [lying("B5", 5), lying("X", 0), lying("G4", 8, 2)],
  winner: 2,
  round: 1,
  number: 1,
};
const SWAPPED = told("triatri_swapped", { seat: 2, owner: 1, card: "G4", worth: 8 });
const WON = told("triatri_won_by_worth", { seat: 2 }, "trick");

describe("an exchange", () => {
  test("is seen before and after the cards change places", () => {
    const [first, second] = steps([SWAPPED, WON]);
    expect(places(TRICK, [SWAPPED], first?.step)).toEqual([
      lying("B5", 5),
      lying("G4", 8, 2),
      lying("X", 0),
    ]);
    expect(places(TRICK, [SWAPPED], second?.step)).toEqual([
      lying("B5", 5),
      { ...lying("X", 0), played: "G4" },
      { ...lying("G4", 8, 2), played: "X" },
    ]);
  });

  test("after an exchange shows what was played where the card came from", () => {
    const again: TriatriTrick = {
      ...TRICK,
      played: ["R5", "X", "X"],
      lies: [lying("X", 0), lying("X", 0), lying("R5", 5)],
    };
    const second = told("triatri_swapped", { seat: 2, owner: 1, card: "R5", worth: 5 });
    expect(places(again, [second], { swapped: false, given: false })).toEqual([
      { ...lying("X", 0), played: "R5" },
      { ...lying("R5", 5), played: "X" },
      lying("X", 0),
    ]);
  });

  test("of an earlier trick does not touch this one", () => {
    const later = { ...TRICK, lies: [lying("B5", 5), lying("G4", 8, 2), null] };
    expect(places(later, [SWAPPED], { swapped: false, given: false })).toEqual(later.lies);
  });
});

describe("a finished trick", () => {
  const after = {
    phase: "name",
    gems: [NO_GEMS, NO_GEMS, { R: 0, B: 1, G: 0 }],
    tricks: [TRICK],
    last_trick: TRICK,
    table: {
      ...TRICK,
      gem: null,
      played: [null, null, null],
      lies: [null, null, null],
      winner: null,
    },
  };

  test("keeps its gem in the middle, then gives it to the winner", () => {
    const [before] = steps([WON]);
    const resting = scene(after, [WON], true);
    const first = shown(resting, before?.step ?? LAST_STEP, null);
    expect(first).toMatchObject({ winner: 2, trick: 1, stake: { colour: "B" }, turns: [] });
    expect(first.gems[2]).toEqual(NO_GEMS);
    const last = shown(resting, LAST_STEP, null);
    expect(last.stake).toBeNull();
    expect(last.gems[2]).toEqual({ R: 0, B: 1, G: 0 });
  });

  test("is gone when the rest is over", () => {
    const now = shown(scene(after), LAST_STEP, null);
    expect(now).toMatchObject({ winner: null, trick: 2, places: [null, null, null], turns: [0] });
  });

  test("comes before the next deal", () => {
    const dealt = [
      WON,
      told("triatri_round_over", { round: 1 }, "round"),
      told("triatri_round_began"),
    ];
    const last_trick = { ...TRICK, number: 5 };
    const next = { phase: "bid", round: 2, trick: 1, tricks: [], bids: [], table: null };
    const of = { ...after, ...next, last_trick };
    expect(shown(scene(of, dealt, true), LAST_STEP, null)).toMatchObject({
      round: 1,
      trick: 5,
      hand: [],
      sizes: [0, 0, 0],
      winner: 2,
    });
  });

  test("stays on the table when the match is over", () => {
    const now = shown(scene({ ...after, phase: "over", trick: 2, table: null }), LAST_STEP, null);
    expect(now).toMatchObject({ winner: 2, trick: 1, stake: null });
  });
});

describe("bids", () => {
  const bidding = { phase: "bid", bids: [], hand: ["R3", "X", "X"], hand_sizes: [3, 3, 3] };

  test("of others lie face down, the own one is seen, and neither is in a hand", () => {
    const now = shown(
      scene({ ...bidding, has_bid: [true, true, false], bid: "X" }),
      LAST_STEP,
      null,
    );
    expect(now.places).toEqual([{ card: "X", unconfirmed: false }, { card: null }, null]);
    expect(now.hand).toEqual(["R3", "X"]);
    expect(now.sizes).toEqual([2, 2, 3]);
  });

  test("are unconfirmed until the server has them", () => {
    const now = shown(scene(bidding), LAST_STEP, ["R3"]);
    expect(now.places[0]).toEqual({ card: "R3", unconfirmed: true });
  });

  test("are all seen when they decide", () => {
    const start = told("triatri_start_by_number", { seat: 2, card: "G6" }, "bid");
    const now = shown(scene({ phase: "name" }, [start], true), LAST_STEP, null);
    expect(now).toMatchObject({ bidding: true, winner: 2 });
    expect(now.places).toEqual([{ card: "R4" }, { card: "B5" }, { card: "G6" }]);
  });

  test("that are taken back leave the hands once more while they are seen", () => {
    const bids = [["R3", "B3", "G3"]];
    const back = told("triatri_taken_back", { number: 3 });
    const now = shown(scene({ ...bidding, bids }, [back], true), LAST_STEP, null);
    expect(now).toMatchObject({ winner: null, hand: ["X", "X"], sizes: [2, 2, 2] });
    expect(shown(scene({ ...bidding, bids }), LAST_STEP, null).hand).toHaveLength(3);
  });
});

describe("what was sent and is not confirmed", () => {
  const table = { ...TRICK, played: [null, null, null], lies: [null, null, null], winner: null };

  test("lies on the table already", () => {
    const now = shown(scene({ table }), LAST_STEP, ["X"]);
    expect(now.places[0]).toEqual({ card: "X", unconfirmed: true });
  });

  test("has left the supply, or the own gems", () => {
    const naming = { phase: "name", table: { ...table, gem: null } };
    const supply = shown(scene(naming), LAST_STEP, ["supply:R"]);
    expect(supply).toMatchObject({ stake: { colour: "R", unconfirmed: true }, supply: { R: 5 } });
    const gems = [{ R: 2, B: 0, G: 0 }, NO_GEMS, NO_GEMS];
    const own = shown(scene({ ...naming, gems }), LAST_STEP, ["own:R"]);
    expect(own).toMatchObject({ stake: { source: "own" }, supply: { R: 6 } });
    expect(own.gems[0]).toEqual({ R: 1, B: 0, G: 0 });
  });
});

test("the table rests on a trick, longer on one with an exchange, and on bids", () => {
  const trick = reveal([WON]);
  expect(trick).toBeGreaterThan(0);
  expect(reveal([SWAPPED])).toBe(trick);
  expect(reveal([SWAPPED, WON])).toBeGreaterThan(Number(trick));
  expect(reveal([told("triatri_taken_back")])).not.toBeNull();
  expect(reveal([told("triatri_followed")])).toBeNull();
});
