/** How the points of Tri a Tri come together (A14), and why they change with the supply. */

import { say, term } from "../../messages.svelte";
import type { Told, TriatriTally, TriatriView } from "../../protocol";
import {
  causeOf,
  signed,
  type Breakdown,
  type Known,
  type ScorePart,
  type Sheet,
} from "../drawing";

const CLAUSE = "A14";

/** A gem has left the supply or changed hands: what all had before, and have now. */
interface Moved {
  readonly told: Told;
  readonly before: readonly number[];
  readonly after: readonly number[];
}

function moved(history: readonly Told[]): readonly Moved[] {
  return history.flatMap((told) => {
    const { scores_before: before, scores: after } = told.values;
    return before ? [{ told, before, after } as Moved] : [];
  });
}

export function score({ view, history }: Known<TriatriView>, seat: number): Breakdown {
  const tally = view.tallies[seat];
  const changes = moved(history)
    .map(({ told, before, after }) => ({ told, before: before[seat], after: after[seat] }))
    .filter(({ before, after }) => before !== after)
    .map(({ told, before, after }) => ({
      key: "score_change",
      values: {
        cause: { ...causeOf(told), clause: "" },
        before: signed(before ?? 0),
        after: signed(after ?? 0),
      },
      clause: told.clause,
    }));
  return {
    parts: tally ? partsOf(tally) : [],
    total: {
      part: { key: "score_total", values: {}, clause: "" },
      points: view.scores[seat] ?? 0,
    },
    changes: changes.toReversed(),
  };
}

function partsOf(tally: TriatriTally): ScorePart[] {
  const { sets, pairs, left, left_gem: gem, each: supply, gems } = tally;
  const part = (name: string, values: Record<string, unknown>, points: number) => ({
    part: { key: `triatri_score_${name}`, values, clause: CLAUSE },
    points,
  });
  return [
    ...(gems ? [] : [part("none", {}, 0)]),
    ...(sets ? [part("sets", { sets }, tally.set_points)] : []),
    ...(pairs ? [part("pairs", { pairs }, tally.pair_points)] : []),
    ...(left ? [part("left", { left, gem, supply }, tally.left_points)] : []),
  ];
}

/** Every trick with its gem, its winner and the scores after it; then how the last ones add up. */
export function sheet({ view, history }: Known<TriatriView>, names: readonly string[]): Sheet {
  const tallied = (name: "sets" | "pairs" | "left", points: (tally: TriatriTally) => number) => [
    say(`triatri_sheet_${name}`),
    "",
    ...view.tallies.map((tally) => signed(points(tally))),
  ];
  return {
    caption: say("triatri_sheet"),
    head: [say("triatri_sheet_trick"), say("triatri_gem"), ...names.slice(0, view.players)],
    rows: [
      ...tricks(history),
      tallied("sets", (tally) => tally.set_points),
      tallied("pairs", (tally) => tally.pair_points),
      tallied("left", (tally) => tally.left_points),
    ],
    total: [say("score_total"), "", ...view.scores.map(signed)],
  };
}

function tricks(history: readonly Told[]): string[][] {
  let [round, number, own] = [0, 0, false];
  const rows: string[][] = [];
  for (const told of history) {
    if (told.event === "triatri_round_began") [round, number] = [Number(told.values.round), 0];
    if (told.event === "triatri_gem_of_own") own = true;
    if (told.event === "triatri_gem_from_supply") own = false;
    if (told.ends !== "trick") continue;
    number += 1;
    const { gem, seat, scores } = told.values as { gem: string; seat: number; scores: number[] };
    rows.push([
      `${round}.${number}`,
      own ? say("triatri_sheet_own", { gem }) : term(`triatri_gem_${gem}`, gem),
      ...scores.map((points, place) => `${place === seat ? "★\u00a0" : ""}${signed(points)}`),
    ]);
  }
  return rows;
}
