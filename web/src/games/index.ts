/** The registry of the games that this page can draw: a new one is one line in `GAMES`. */

import type { Drawing } from "./drawing";
import type { Game } from "./game";
import { game as kings_tournament } from "./kings_tournament";
import { game as tornei } from "./tornei";
import { game as triatri } from "./triatri";

const GAMES: Readonly<Record<string, Game>> = { tornei, kings_tournament, triatri };

/** A game by its name; nothing if this page is older than the game. */
export function gameOf(name: string): Game | undefined {
  return GAMES[name];
}

/**
 * The drawing of a game; null if this page is older than the game. A drawing gets only views of its
 * own game, so that from here on the type of its view need not be known.
 */
export async function drawingOf(name: string): Promise<Drawing | null> {
  const loaded = await gameOf(name)?.load();
  return loaded ? (loaded.drawing as Drawing) : null;
}
