/** The picture of each game, as far as it is drawn. */

import type { Component } from "svelte";

const FOUND = import.meta.glob<{ default: Component }>("./*/Picture.svelte", { eager: true });

export function pictureOf(game: string): Component | null {
  return FOUND[`./${game}/Picture.svelte`]?.default ?? null;
}
