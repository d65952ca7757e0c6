/** How a choice is judged, in signs and words. */

import type { Decision } from "../../protocol";
import { isMarked, lossOf, percent } from "../../review.svelte";
import { say } from "../../messages.svelte";

/** The signs that books on chess use. */
export const GLYPHS: Readonly<Record<Decision["label"], string>> = {
  best: "✓",
  good: "✓",
  inaccuracy: "?!",
  mistake: "?",
  blunder: "??",
};

export function lostPoints(loss: number): string {
  return say("web_review_points", { points: percent(loss) });
}

/** The label of a decision, with what it lost if that could be measured. */
export function verdictOf(decision: Decision): string {
  const label = say(`review_label_${decision.label}`);
  if (!isMarked(decision)) return label;
  return say("web_review_verdict", { label, loss: lostPoints(lossOf(decision)) });
}
