/** What lies on the table at a moment, as it is drawn. */

import type { Told, TorneiBoard, TorneiTrick, TorneiView } from "../../protocol";
import type { Scene } from "../drawing";
import { suitOf } from "./names";

/** What lies in front of a seat in a trick. */
export interface Lying {
  readonly joust: string | null;
  /** The place that the joust card took. */
  readonly place: number | null;
  readonly predicted: boolean;
  /** The prediction, if the viewer knows it. */
  readonly prediction: string | null;
  /** The place that it says. */
  readonly predictedPlace: number | null;
  /** Whether a prediction that was turned up was right. */
  readonly right: boolean | null;
  /** Sent, and not confirmed yet. */
  readonly unconfirmed: "joust" | "prediction" | null;
}

/** What a seat got for a round that is over. */
export interface RoundScore {
  readonly predictions: number;
  readonly tricks: number;
  readonly trick_points: number;
  readonly points: number;
  readonly total: number;
}

/** How long a badge takes to appear, and how long after the one before it; the marks are the last. */
export const TURN = 260;
export const STEP = 110;
export const MARKS = 6;

/** Whether a round has ended, and its points are counted. */
export function countsRound(fresh: readonly Told[]): boolean {
  return fresh.some((told) => told.event === "tornei_scored");
}

export function reveal(fresh: readonly Told[]): number | null {
  return fresh.some((told) => told.event === "tornei_won") ? MARKS * STEP + TURN : null;
}

/** The trick to be looked at: one just finished, or the last one of the match. */
export function finishedTrick(scene: Scene<TorneiView>): TorneiTrick | null {
  return scene.resting || scene.view.phase === "over" ? scene.view.last_trick : null;
}

export function lyingInTrick(trick: TorneiTrick, seat: number): Lying {
  const prediction = trick.predictions[seat] ?? null; // the dummy makes none (T7)
  return {
    joust: trick.jousts[seat] ?? null,
    place: trick.places[seat] ?? null,
    predicted: prediction !== null,
    prediction,
    predictedPlace: trick.predicted_places[seat] ?? null,
    right: trick.right[seat] ?? null,
    unconfirmed: null,
  };
}

/** In the trick being played; `sent` is the viewer's own card that is on its way. */
export function lyingNow(view: TorneiView, seat: number, sent: string | null): Lying {
  const own = seat === view.viewer;
  const sends = own && sent ? (view.phase === "predict" ? "prediction" : "joust") : null;
  const prediction = sends === "prediction" ? sent : own ? view.prediction : null;
  return {
    joust: sends === "joust" ? sent : (view.jousts[seat] ?? null),
    place: null,
    predicted: sends === "prediction" || (view.predicted[seat] ?? false),
    prediction,
    predictedPlace: prediction === null ? null : (view.suit_places[suitOf(prediction)] ?? null),
    right: null,
    unconfirmed: sends,
  };
}

/** Predictions that still lie in the trick are not on the board yet. */
export function boardBefore(board: TorneiBoard, lying: Lying): TorneiBoard {
  const elsewhere = (card: string) => card !== lying.prediction;
  return { ...board, right: board.right.filter(elsewhere), wrong: board.wrong.filter(elsewhere) };
}

export function roundScores(fresh: readonly Told[]): ReadonlyMap<number, RoundScore> {
  const scored = fresh.filter((told) => told.event === "tornei_scored");
  return new Map(
    scored.map((told) => [told.values.seat as number, told.values as unknown as RoundScore]),
  );
}

/**
 * While a finished trick is looked at it is nobody's turn, and its number still counts. With the
 * last card of a round its points are scored and the next one is dealt: while that is looked at,
 * the scores, the boards, the dealer and the dummy are those of the view `before`.
 */
export function viewShown(scene: Scene<TorneiView>, before: TorneiView | null): TorneiView {
  const { view, resting, fresh } = scene;
  if (!resting) return view;
  if (before !== null && countsRound(fresh)) return { ...before, hand: [], pending: [] };
  return { ...view, trick: view.last_trick?.number ?? view.trick, pending: [] };
}
