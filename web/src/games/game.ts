/** What the page knows of a game before its table is drawn. */

import type { Component } from "svelte";
import type { Drawing } from "./drawing";

export interface Game {
  /** The picture on the first page. */
  readonly Picture: Component;
  /** The drawing of its table, which is loaded when a table is shown. */
  readonly load: () => Promise<{ readonly drawing: Drawing<never> }>;
  /** The pictures beside the paragraphs of its rules' summary, loaded when they are shown. */
  readonly summary?: () => Promise<{ readonly default: Component<{ part: number }> }>;
  /** Options whose values are numbers of seats. */
  readonly seatOptions?: readonly string[];
  /** The names of players without a seat, numbered after those in the seats. */
  readonly unseated?: () => readonly string[];
}
