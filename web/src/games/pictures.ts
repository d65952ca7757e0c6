/** The picture of each game; null if this page is older than the game. */

import type { Component } from "svelte";
import KingsTournament from "./kings_tournament/Picture.svelte";
import Tornei from "./tornei/Picture.svelte";
import TriATri from "./triatri/Picture.svelte";

const PICTURES: Readonly<Record<string, Component>> = {
  tornei: Tornei,
  kings_tournament: KingsTournament,
  triatri: TriATri,
};

export function pictureOf(game: string): Component | null {
  return PICTURES[game] ?? null;
}
