/** What lies on the table at a moment. */

import type { Scene } from "../drawing";

/** Once a game is in the registry, `make types` writes its view to `protocol.ts`: use that one. */
export interface View {
  readonly viewer: number | null;
  readonly phase: string;
  readonly pending: readonly number[];
  readonly hand: readonly string[];
  readonly chosen: readonly boolean[];
  readonly choice: string | null;
  readonly tricks: readonly (readonly string[])[];
  readonly scores: readonly number[];
}

/** The card before a seat: its text, null if it lies face down, undefined if there is none. */
export function lying({ view, resting }: Scene<View>, seat: number): string | null | undefined {
  if (resting) return view.tricks.at(-1)?.[seat];
  if (!view.chosen[seat]) return undefined;
  return seat === view.viewer ? view.choice : null;
}
