/** Tornei, as the page's registry knows it. */

import { say } from "../../messages.svelte";
import type { Game } from "../game";
import "./colours.css";
import Picture from "./Picture.svelte";

export const game: Game = {
  Picture,
  load: () => import("./drawing"),
  summary: () => import("./Summary.svelte"),
  seatOptions: ["first_dealer"],
  unseated: () => [say("tornei_dummy")],
};
