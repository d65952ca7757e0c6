import type { Level } from "./protocol";
import { say } from "./voice.svelte";

/** From easy to strong. */
export const LEVELS = ["page", "squire", "knight", "champion"] as const satisfies readonly Level[];

export function levelName(level: Level): string {
  return say(`terminal_player_${level}`);
}
