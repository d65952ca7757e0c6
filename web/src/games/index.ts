/** The games that this page can draw: each folder beside this file is one. */

import type { Drawing } from "./drawing";
import type { Game } from "./game";

const FOLDERS = import.meta.glob<{ game: Game }>(["./*/index.ts", "!./_*/index.ts"], {
  eager: true,
});

/** A game by its name; nothing if this page is older than the game. */
export function gameOf(name: string): Game | undefined {
  return FOLDERS[`./${name}/index.ts`]?.game;
}

/**
 * The drawing of a game; null if this page is older than the game. A drawing gets only views of its
 * own game, so that from here on the type of its view need not be known.
 */
export async function drawingOf(name: string): Promise<Drawing | null> {
  const loaded = await gameOf(name)?.load();
  return loaded ? (loaded.drawing as Drawing) : null;
}
