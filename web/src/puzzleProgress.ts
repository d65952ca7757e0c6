/**
 * How well somebody solves puzzles: the formula of `puzzles/progress.py`, for a rating that stays in
 * the browser. A test compares the two.
 */

const SCALE = 400;
const FIRST_STEPS = 48;
const STEP = 24;
const SETTLED = 20;
const LOWEST = 100;

export interface Progress {
  readonly rating: number;
  readonly right: number;
  /** Right answers in a row. */
  readonly streak: number;
  readonly best_streak: number;
  /** The ids of the puzzles that were answered, in this order. */
  readonly done: readonly string[];
}

export const BEGINNER: Progress = { rating: 1200, right: 0, streak: 0, best_streak: 0, done: [] };

/** The progress with one more answer. Only the first answer to a puzzle counts. */
export function after(
  progress: Progress,
  puzzle: { readonly id: string; readonly rating: number },
  right: boolean,
): Progress {
  if (progress.done.includes(puzzle.id)) return progress;
  const expected = 1 / (1 + 10 ** ((puzzle.rating - progress.rating) / SCALE));
  const step = progress.done.length < SETTLED ? FIRST_STEPS : STEP;
  const change = Math.round(step * (Number(right) - expected));
  const streak = right ? progress.streak + 1 : 0;
  return {
    rating: Math.max(LOWEST, progress.rating + change),
    right: progress.right + Number(right),
    streak,
    best_streak: Math.max(progress.best_streak, streak),
    done: [...progress.done, puzzle.id],
  };
}
