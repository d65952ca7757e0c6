/** What cards and gems are called. */

import { say } from "../../messages.svelte";

export const COLOURS = ["R", "B", "G"] as const;
export type Colour = (typeof COLOURS)[number];

export const EXCHANGE = "X";

/** The name of a card ("R7", "X") or of a gem to be named ("supply:R", "own:R"). */
export function name(action: string): string {
  const [source, gem] = action.split(":");
  if (gem) return say(source === "own" ? "triatri_name_own" : "triatri_name_supply", { gem });
  if (action === EXCHANGE) return say("triatri_exchange_card");
  return say("triatri_card_name", { colour: action[0], number: action.slice(1) });
}
