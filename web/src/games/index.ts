/** Which drawing belongs to which game; each is loaded when it is wanted. */

import type { Drawing } from "./drawing";

const DRAWINGS: Record<string, () => Promise<{ drawing: Drawing }>> = {
  tornei: () => import("./tornei"),
  kings_tournament: () => import("./kings_tournament"),
  triatri: () => import("./triatri"),
};

/** The drawing of a game; null if this page is older than the game. */
export async function drawingOf(game: string): Promise<Drawing | null> {
  return (await DRAWINGS[game]?.())?.drawing ?? null;
}
