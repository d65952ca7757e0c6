import { cleanup, fireEvent, render, screen, within } from "@testing-library/svelte";
import type { ComponentProps } from "svelte";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import type { Choice } from "../../choice.svelte";
import Drawn from "../../parts/drawing/Drawn.svelte";
import ScoreSheet from "../../parts/drawing/ScoreSheet.svelte";
import type { Told, TorneiTrick, TorneiView } from "../../protocol";
import { settings } from "../../settings.svelte";
import { setLanguage } from "../../messages.svelte";
import type { Drawing, Scene } from "../drawing";
import { drawing } from "./drawing";

const NAMES = ["Anna", "Ben", "Cleo", "Dummy"];
const TRICK: TorneiTrick = {
  leader: 1,
  jousts: ["S9", "S12", "S5", "S3"],
  predictions: ["F6", "W4", "C7"],
  places: [2, 1, 3, 4],
  winner: 1,
  predicted_places: [2, 1, 4],
  right: [true, true, false],
  points: [3, 2, 0],
  round: 1,
  number: 7,
};
const BOARD = { right: [], wrong: [], tricks: 0, points: 0, trick_points: 3, total: 3 };
const NOTHING = {
  viewer: 0,
  players: 3,
  leader: 1,
  dealer: 0,
  hand_sizes: [],
  prediction: null,
  winners: [],
  suit_places: { W: 1, F: 2, S: 3, C: 4 },
};
const EMPTY = { jousts: [null, null, null, null], predicted: [false, false, false] };
/** The last card of the first round is to be played. */
const LAST: TorneiView = {
  ...NOTHING,
  phase: "play",
  pending: [0],
  round: 1,
  trick: 7,
  hand: ["S9"],
  jousts: [null, "S12", "S5", "S3"],
  predicted: [true, true, true],
  prediction: "F6",
  boards: [{ ...BOARD, right: ["C8"], points: 2, tricks: 1 }, BOARD, BOARD],
  tricks: [],
  last_trick: null,
  rounds: [],
  scores: [0, 0, 0],
  dummy: { columns: { W: [], F: [], S: ["S3"], C: [] }, pile: ["C1"], pile_left: 6, tricks: 0 },
  ahead: [0],
};
/** The second round is dealt. */
const NEXT: TorneiView = {
  ...NOTHING,
  ...EMPTY,
  phase: "lead",
  pending: [2],
  round: 2,
  dealer: 1,
  leader: 2,
  trick: 1,
  hand: ["W1", "C2"],
  boards: [BOARD, BOARD, BOARD],
  tricks: [],
  last_trick: TRICK,
  rounds: [[6, 5, 3]],
  scores: [6, 5, 3],
  dummy: { columns: { W: ["W9"], F: [], S: [], C: [] }, pile: [], pile_left: 7, tricks: 0 },
  ahead: [0],
};
const COUNTED = { round: 1, predictions: 5, tricks: 1, trick_points: 1, points: 6, total: 6 };
const FRESH: Told[] = [
  told("tornei_predicted_right", { seat: 0, points: 3 }),
  told("tornei_won", { seat: 1, card: "S12" }),
  told("tornei_scored", { seat: 0, ...COUNTED }),
];

function told(event: string, values: Record<string, unknown>): Told {
  return { event, values, clause: "", ends: "", index: 0, story: 0 };
}

function scene(
  view: TorneiView,
  fresh: readonly Told[] = [],
): { scene: Scene<TorneiView>; choice: null; onscore: (seat: number) => void } {
  const given = { view, seats: [], names: NAMES, reader: null, fresh, resting: fresh.length > 0 };
  return { scene: given, choice: null, onscore: () => undefined };
}

function seat(name: string): HTMLElement {
  return screen.getByRole("heading", { name: new RegExp(name) }).closest("section") as HTMLElement;
}

beforeAll(async () => {
  settings.pace = "instant"; // nothing lingers while it flies
  await setLanguage("en");
});
afterEach(cleanup);

test("a round is counted out before the next one is seen", async () => {
  const { rerender, container } = render(drawing.Table, scene(LAST));
  await rerender(scene(NEXT, FRESH));
  expect(screen.getByRole("heading", { name: /Round 1 of 3, trick 7 of 7/ })).toBeTruthy();
  expect(within(seat("Anna")).getByRole("img", { name: /Shamrock 9, 2nd/ })).toBeTruthy();
  expect(
    within(seat("Anna")).getByRole("img", { name: /Fleur-de-lis 6, 2nd: right/ }),
  ).toBeTruthy();
  expect(seat("Anna").textContent).toContain("points for predictions: 5");
  expect(seat("Anna").textContent).toContain("right predictions: Cross 8;");
  expect(seat("Dummy").textContent).toContain("Shamrock 3");
  expect(container.querySelectorAll("[data-card]")).toHaveLength(0);
  expect(drawing.counting?.(FRESH, true)).toContain("The round is over");

  await rerender(scene(NEXT));
  expect(screen.getByRole("heading", { name: /Round 2 of 3, trick 1 of 7/ })).toBeTruthy();
  expect(seat("Anna").textContent).toContain("Anna has 6 points from earlier rounds");
  expect(seat("Dummy").textContent).toContain("Wyvern 9");
  expect(container.querySelectorAll("[data-card]")).toHaveLength(2);
});

test("without a seat there is no hand, and nobody's prediction is known", () => {
  const view = { ...LAST, viewer: null, hand: [], prediction: null };
  const { container } = render(drawing.Table, scene(view));
  expect(container.querySelectorAll("[data-card], button.primary")).toHaveLength(0);
  expect(screen.getAllByRole("img", { name: "a prediction, face down" })).toHaveLength(3);
});

test("a match that is over shows its last trick and totals alone", () => {
  const over = scene({ ...NEXT, phase: "over", pending: [] }, FRESH);
  const seen = { ...over.scene, resting: false };
  const { container } = render(drawing.Table, { ...over, scene: seen });
  expect(screen.getByRole("img", { name: /Shamrock 12, 1st/ })).toBeTruthy();
  const score = container.querySelector("[data-region=score]")?.textContent;
  expect(score).toContain("6");
  expect(score).not.toContain("+");
});

test("the sheet has a row for each round, with predictions and tricks", () => {
  const history = [0, 1, 2].map((seat) => told("tornei_scored", { seat, ...COUNTED }));
  render(ScoreSheet, { sheet: drawing.sheet({ view: NEXT, history }, NAMES) });
  const rows = screen.getAllByRole("row").map(({ children }) => {
    return [...children].map((cell) => cell.textContent).join(" ");
  });
  expect(rows).toEqual(["round Anna Ben Cleo", "1 6 (5+1) 6 (5+1) 6 (5+1)", "Total 6 5 3"]);
});

test("a tap on a score shows how it comes about, and plays nothing", async () => {
  const board = { ...BOARD, right: ["C8"], points: 2, tricks: 1, trick_points: 1, total: 9 };
  const view = { ...NEXT, boards: [board, BOARD, BOARD] };
  const played = vi.fn();
  const choice = { takeLifted: played, sent: null, lifted: "W1", next: [] } as unknown as Choice;
  const known = { view, history: FRESH };
  render(Drawn, {
    ...scene(view),
    game: "tornei",
    drawing: drawing as unknown as Drawing,
    choice,
    known,
  } as ComponentProps<typeof Drawn>);
  await fireEvent.click(within(seat("Anna")).getByRole("button", { name: "Anna's score: 6 + 2" }));
  const dialog = screen.getByRole("dialog", { name: "Anna's score", hidden: true });
  const rows = within(dialog).getAllByRole("row", { hidden: true });
  expect(rows.map((row) => row.textContent?.replace(/\s+/g, " ").trim())).toEqual([
    "Round 1: 5 for predictions, 1 for 1 trick § T12 6",
    "This round, right predictions: C8 2",
    "This round, 1 trick 1",
    "Total if the round ended now 9",
  ]);
  expect(played).not.toHaveBeenCalled();
});
