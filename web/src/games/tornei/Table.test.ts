import { cleanup, render, screen, within } from "@testing-library/svelte";
import { afterEach, beforeAll, expect, test } from "vitest";
import type { Told, TorneiTrick, TorneiView } from "../../protocol";
import { settings } from "../../settings.svelte";
import { setLanguage } from "../../messages.svelte";
import type { Scene } from "../drawing";
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
const BOARD = { right: [], wrong: [], tricks: 0, points: 0 };
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
const COUNTED = { predictions: 5, tricks: 1, trick_points: 1, points: 6, total: 6 };
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
): { scene: Scene<TorneiView>; choice: null } {
  const given = { view, seats: [], names: NAMES, reader: null, fresh, resting: fresh.length > 0 };
  return { scene: given, choice: null };
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
  expect(container.querySelectorAll("[data-card], button")).toHaveLength(0);
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

test("the sheet has a row for each round", () => {
  render(drawing.Sheet as NonNullable<typeof drawing.Sheet>, { scene: scene(NEXT).scene });
  const rows = screen.getAllByRole("row").map((row) => row.textContent?.trim());
  expect(rows).toHaveLength(3);
  expect(rows[1]).toMatch(/1\s*6\s*5\s*3/);
});
