/** The timing of a joust: pairs are revealed from the first, scored from the third. */

import type { KingsTournamentJoust as Joust } from "../../protocol";

export interface Count {
  /** So many pairs are turned up. */
  readonly revealed: number;
  /** So many are scored, from the third. */
  readonly scored: number;
  /** The joust is decided, or known not to be. */
  readonly decided: boolean;
}

export const NOTHING: Count = { revealed: 0, scored: 0, decided: false };
export const ALL: Count = { revealed: 3, scored: 3, decided: true };

const PAIRS = 3;
const BEGIN = 100;
const REVEAL = 220;
const SCORE = 380;
/** How long it takes if all pairs count. */
export const JOUST_REVEAL = BEGIN + PAIRS * (REVEAL + SCORE);

/** What is to be seen from when on, in milliseconds. */
export function schedule({ fates }: Joust): [number, Count][] {
  const steps: [number, Count][] = [];
  let at = BEGIN;
  for (let revealed = 1; revealed <= PAIRS; revealed += 1, at += REVEAL)
    steps.push([at, { revealed, scored: 0, decided: false }]);
  const examined = fates.filter((fate) => fate !== "ignored").length;
  for (let scored = 1; scored <= examined; scored += 1, at += SCORE)
    steps.push([at, { revealed: PAIRS, scored, decided: false }]);
  steps.push([at, { revealed: PAIRS, scored: examined, decided: true }]);
  return steps;
}
