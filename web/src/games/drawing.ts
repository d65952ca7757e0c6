/** What every game's drawing provides, and what it is given. */

import type { Component, Snippet } from "svelte";
import type { Choice } from "../choice.svelte";
import type { People } from "../messages.svelte";
import type { LessonPicture, SeatState, Sentence, Told, View } from "../protocol";

/** A table as one viewer may see it, at one moment. */
export interface Scene<GameView = View> extends People {
  readonly view: GameView;
  readonly seats: readonly SeatState[];
  /** What has just happened. */
  readonly fresh: readonly Told[];
  /** The table rests on something just decided: draw it, not what follows. */
  readonly resting: boolean;
}

/** The facts that a picture shows; their texts are sentences of the catalogue. */
export type PictureValues = LessonPicture["values"];
export type Pictures = Readonly<Record<string, Component<{ values: PictureValues }>>>;

/** A match as one viewer may know it: the view, and the events that led to it. */
export interface Known<GameView = View> {
  readonly view: GameView;
  readonly history: readonly Told[];
}

/** A part of a score: what it is for, and how much; null if it has no points of its own. */
export interface ScorePart {
  readonly part: Sentence;
  readonly points: number | null;
}

/** How a seat's score comes about. */
export interface Breakdown {
  readonly parts: readonly ScorePart[];
  readonly total: ScorePart;
  /** What has changed it so far, the latest first. */
  readonly changes?: readonly Sentence[];
}

/** How the scores of a match came about, as a table: a row for each part of it. */
export interface Sheet {
  readonly caption: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly total: readonly string[];
}

export interface Drawing<GameView = View> {
  /**
   * The whole table with the viewer's hand; without a choice there is nothing to be played. A tap
   * on a seat's score calls `onscore`. The prompt is what the table asks; it belongs by the hand.
   */
  Table: Component<{
    scene: Scene<GameView>;
    choice: Choice | null;
    onscore: (seat: number) => void;
    prompt?: Snippet | undefined;
  }>;
  /** What was decided last, to be looked at again; nothing while `hasLast` says so. */
  Last: Component<{ scene: Scene<GameView> }>;
  hasLast(view: GameView): boolean;
  /** Drawings that explain the rules, by their names. */
  pictures?: Pictures;
  score(known: Known<GameView>, seat: number): Breakdown;
  sheet(known: Known<GameView>, names: readonly string[]): Sheet;
  /** An action as a small picture, such as a card, for the seat that may choose it; without it,
   * its name is shown. It is hidden from screen readers. */
  Face?: Component<{ text: string; seat: number }>;
  /** The cards that the viewer holds, as far as they are drawn. */
  hand(scene: Scene<GameView>): readonly string[];
  /** The full name of a card or another action, for screen readers. */
  name(action: string): string;
  /** How many milliseconds the drawing takes to show all that was just decided, when the table rests
   * on it; null if there is nothing to rest on. */
  reveal(fresh: readonly Told[]): number | null;
  /** The chapters that end with a longer look: the table waits for a tap. The match is one always. */
  rounds: readonly string[];
  /** What is said instead of what was decided; usually nothing. `revealed`: all of it is shown. */
  counting?(fresh: readonly Told[], revealed: boolean): string;
}

/** How long a card flies, and how long everyone can read what was decided. */
export const FLIGHT = 220;
export const READING = 2000;

/** A number with a proper minus sign. */
export function signed(points: number): string {
  return points < 0 ? `−${-points}` : String(points);
}

/** What an event says, as part of a score. */
export function causeOf({ event, values, clause }: Told): Sentence {
  return { key: event, values, clause };
}

/** The seats in the order in which they sit, the viewer first. */
export function around(viewer: number | null, count: number): number[] {
  return Array.from({ length: count }, (_, place) => (place + (viewer ?? 0)) % count);
}
