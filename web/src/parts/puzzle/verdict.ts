/** Whether an answer was right, in a sentence. */

import type { Answered, Puzzle } from "../../puzzle.svelte";
import { percent } from "../../review.svelte";
import { say } from "../../messages.svelte";

export function verdictOf({ drawing }: Puzzle, { right, choices, chosen }: Answered): string {
  const [best] = choices;
  const answer = best?.texts.map(drawing.name).join(say("hint_then"));
  if (right) return say("puzzle_right", { answer });
  return say("puzzle_wrong", { answer, loss: percent(choices[chosen]?.loss[0] ?? 0) });
}
