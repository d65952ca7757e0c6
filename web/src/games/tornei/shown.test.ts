import { expect, test } from "vitest";
import type { Told, TorneiTrick, TorneiView } from "../../protocol";
import type { Scene } from "../drawing";
import { boardBefore, finishedTrick, lyingInTrick, lyingNow, reveal, viewShown } from "./shown";

const TRICK: TorneiTrick = {
  leader: 0,
  jousts: ["W2", "F14", "F3", "C14"],
  predictions: ["W9", "W1", "S5"], // three players and the dummy
  places: [1, 2, 3, 4],
  winner: 0,
  predicted_places: [1, 1, 3],
  right: [true, false, true],
  points: [2, 0, 3],
  round: 1,
  number: 1,
};
const VIEW = {
  viewer: 1,
  phase: "predict",
  round: 1,
  hand: ["W1", "C2"],
  jousts: ["F14", null, null, null],
  predicted: [true, false, false],
  prediction: null,
  scores: [0, 0, 0],
  last_trick: TRICK,
  trick: 2,
  tricks: [TRICK],
  pending: [1],
  suit_places: { W: 1, F: 2, S: 3, C: 4 },
} as unknown as TorneiView;

function scene(view: TorneiView, resting = false, fresh: readonly Told[] = []): Scene<TorneiView> {
  return { view, seats: [], names: [], reader: null, fresh, resting };
}

function told(event: string, values: Record<string, unknown> = {}): Told {
  return { event, values, clause: "", ends: "", index: 0, story: 0 };
}

test("of a prediction of others only that it lies there is shown", () => {
  expect(lyingNow(VIEW, 0, null)).toMatchObject({ predicted: true, prediction: null, right: null });
});

test("a card on its way lies where it will lie, and is not confirmed", () => {
  const predicting = lyingNow(VIEW, 1, "W1");
  expect(predicting).toMatchObject({ prediction: "W1", joust: null, unconfirmed: "prediction" });
  expect(predicting.predictedPlace).toBe(1);
  const jousting = lyingNow({ ...VIEW, phase: "play", prediction: "W1" }, 1, "C2");
  expect(jousting).toMatchObject({ prediction: "W1", joust: "C2", unconfirmed: "joust" });
  expect(lyingNow(VIEW, 2, "W1").unconfirmed).toBeNull();
});

test("a finished trick shows places, and predictions turned up as right or wrong", () => {
  expect(lyingInTrick(TRICK, 0)).toMatchObject({ joust: "W2", place: 1, right: true });
  expect(lyingInTrick(TRICK, 1)).toMatchObject({ prediction: "W1", place: 2, right: false });
  expect(lyingInTrick(TRICK, 3)).toMatchObject({ place: 4, predicted: false, right: null });
});

test("the last trick is looked at while the table rests, and at the end", () => {
  expect(finishedTrick(scene(VIEW))).toBeNull();
  expect(finishedTrick(scene(VIEW, true))).toBe(TRICK);
  expect(finishedTrick(scene({ ...VIEW, phase: "over" }))).toBe(TRICK);
});

test("a prediction is not in two places at once", () => {
  const board = { right: ["S3", "W9"], wrong: [], tricks: 1, points: 5, trick_points: 1, total: 6 };
  expect(boardBefore(board, lyingInTrick(TRICK, 0)).right).toEqual(["S3"]);
  expect(boardBefore(board, lyingNow(VIEW, 0, null)).right).toEqual(["S3", "W9"]);
});

test("the table rests on a trick, and not on a single card", () => {
  expect(reveal([told("tornei_led")])).toBeNull();
  expect(reveal([told("tornei_won")])).toBeGreaterThan(0);
});

test("while the last trick of a round is looked at, the next deal is not seen", () => {
  const next = { ...VIEW, round: 2, hand: ["C9"], scores: [7, 5, 3] };
  const scored = [told("tornei_won"), told("tornei_scored")];
  const shown = viewShown(scene(next, true, scored), VIEW);
  expect(shown).toMatchObject({ round: 1, hand: [], scores: [0, 0, 0] });
  expect(viewShown(scene(next), VIEW)).toBe(next);
});

test("while a trick is looked at, it is nobody's turn and not yet the next trick", () => {
  expect(viewShown(scene(VIEW, true), null)).toMatchObject({
    trick: 1,
    pending: [],
    hand: VIEW.hand,
  });
});
