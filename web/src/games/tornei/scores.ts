/** How the points of Tornei come together (T12). */

import { say } from "../../messages.svelte";
import type { Told, TorneiView } from "../../protocol";
import type { Breakdown, Known, ScorePart, Sheet } from "../drawing";
import type { RoundScore } from "./shown";

const CLAUSE = "T12";

interface Scored extends RoundScore {
  readonly seat: number;
  readonly round: number;
}

function scored(history: readonly Told[]): readonly Scored[] {
  return history
    .filter(({ event }) => event === "tornei_scored")
    .map(({ values }) => values as unknown as Scored);
}

export function score({ view, history }: Known<TorneiView>, seat: number): Breakdown {
  const rounds = scored(history)
    .filter((round) => round.seat === seat)
    .map((values): ScorePart => {
      const part = { key: "tornei_score_round", values: { ...values }, clause: CLAUSE };
      return { part, points: values.points };
    });
  const board = view.boards[seat];
  if (view.phase === "over" || !board) {
    const total = { key: "score_total", values: {}, clause: "" };
    return { parts: rounds, total: { part: total, points: view.scores[seat] ?? 0 } };
  }
  const { right, tricks, points, trick_points, total } = board;
  return {
    parts: [
      ...rounds,
      { part: { key: "tornei_score_predictions", values: { right }, clause: CLAUSE }, points },
      {
        part: { key: "tornei_score_tricks", values: { tricks }, clause: CLAUSE },
        points: trick_points,
      },
    ],
    total: { part: { key: "tornei_score_now", values: {}, clause: "" }, points: total },
  };
}

export function sheet({ view, history }: Known<TorneiView>, names: readonly string[]): Sheet {
  const all = scored(history);
  const rounds = [...new Set(all.map(({ round }) => round))];
  return {
    caption: say("tornei_sheet"),
    head: [say("tornei_sheet_round"), ...names.slice(0, view.players)],
    rows: rounds.map((number) => [
      String(number),
      ...all
        .filter(({ round }) => round === number)
        .map(
          ({ points, predictions, trick_points: tricks }) => `${points} (${predictions}+${tricks})`,
        ),
    ]),
    total: [say("score_total"), ...view.scores.map(String)],
  };
}
