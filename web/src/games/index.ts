/** Which drawing belongs to which game; each is loaded when it is wanted. */

import type { Drawing } from "./drawing";

const DRAWINGS: Record<string, () => Promise<{ drawing: Drawing<never> }>> = {
  tornei: () => import("./tornei"),
  kings_tournament: () => import("./kings_tournament"),
  triatri: () => import("./triatri"),
};

/**
 * The drawing of a game; null if this page is older than the game. A drawing gets only views of its
 * own game, so that from here on the type of its view need not be known.
 */
export async function drawingOf(game: string): Promise<Drawing | null> {
  const loaded = await DRAWINGS[game]?.();
  return loaded ? (loaded.drawing as Drawing) : null;
}
