/** How the points of Template come together: the tricks that were won (E4). */

import { say } from "../../messages.svelte";
import type { Told } from "../../protocol";
import { causeOf, type Breakdown, type Known, type Sheet } from "../drawing";
import type { View } from "./shown";

function tricks(history: readonly Told[]): readonly Told[] {
  return history.filter(({ ends }) => ends === "trick");
}

export function score({ view, history }: Known<View>, seat: number): Breakdown {
  return {
    parts: tricks(history)
      .filter(({ values }) => values.seat === seat)
      .map((told) => ({ part: causeOf(told), points: null })),
    total: {
      part: { key: "score_total", values: {}, clause: "E4" },
      points: view.scores[seat] ?? 0,
    },
  };
}

export function sheet({ view, history }: Known<View>, names: readonly string[]): Sheet {
  return {
    caption: say("score_sheet"),
    head: ["", ...names],
    rows: tricks(history).map(({ values }, number) => [
      String(number + 1),
      ...names.map((_, seat) => (values.seat === seat ? "★" : "")),
    ]),
    total: [say("score_total"), ...view.scores.map(String)],
  };
}
