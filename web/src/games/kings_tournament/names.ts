/** What cards and places are called. */

import { say, type Key } from "../../messages.svelte";
import type { Column } from "./shown";

const NAMES: Record<string, Key> = {
  D: "kings_tournament_double_strike",
  B: "kings_tournament_block",
};

/** The full name of a card; values are called by their number. */
export function name(card: string): string {
  const key = NAMES[card];
  return key ? say(key) : card;
}

/** What a column is called. */
export function placeName({ kind, number }: Pick<Column, "kind" | "number">): string {
  if (kind === "beat") return say(`kings_tournament_beat_${number}` as Key);
  if (kind === "aside") return say("kings_tournament_aside");
  return say("kings_tournament_turn_number", { number });
}
