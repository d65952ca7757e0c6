/** What every game's drawing provides, and what it is given. */

import type { Component, Snippet } from "svelte";
import type { Choice } from "../choice.svelte";
import type { People } from "../messages.svelte";
import type { SeatState, Told, View } from "../protocol";

/** A table as one viewer may see it, at one moment. */
export interface Scene<GameView = View> extends People {
  readonly view: GameView;
  readonly seats: readonly SeatState[];
  /** What has just happened. */
  readonly fresh: readonly Told[];
  /** The table rests on something just decided: draw it, not what follows. */
  readonly resting: boolean;
}

export interface Drawing<GameView = View> {
  /**
   * The whole table with the viewer's hand; without a choice there is nothing to be played. The
   * prompt is what the table asks; it belongs by the hand.
   */
  Table: Component<{ scene: Scene<GameView>; choice: Choice | null; prompt?: Snippet }>;
  /** What was decided last, to be looked at again; nothing while `hasLast` says so. */
  Last: Component<{ scene: Scene<GameView> }>;
  hasLast(view: GameView): boolean;
  /** How the points of a match that is over came together, if there is more to it than a total. */
  Sheet?: Component<{ scene: Scene<GameView> }>;
  /** The full name of a card or another action, for screen readers. */
  name(action: string): string;
  /** How many milliseconds the table should rest on what has just happened; usually none. */
  rest(fresh: readonly Told[]): number;
  /** What is said while the drawing itself counts out what was decided; usually nothing. */
  counting?(fresh: readonly Told[]): string;
}

/** How long a card flies, and the table rests on what was decided. */
export const FLIGHT = 220;
export const REST = 1200;

/** The seats in the order in which they sit, the viewer first. */
export function around(viewer: number | null, count: number): number[] {
  return Array.from({ length: count }, (_, place) => (place + (viewer ?? 0)) % count);
}
