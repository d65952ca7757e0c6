/** King's Tournament, as the page's registry knows it. */

import type { Game } from "../game";
import "./colours.css";
import Picture from "./Picture.svelte";

export const game: Game = {
  Picture,
  load: () => import("./drawing"),
  summary: () => import("./Summary.svelte"),
};
