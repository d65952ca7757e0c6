/** What lies on the table at a moment: five columns, for the five cards that each player draws. */

import type {
  KingsTournamentJoust as Joust,
  KingsTournamentPair as Pair,
  KingsTournamentTurn as Turn,
  KingsTournamentView as View,
} from "../../protocol";
import type { Scene } from "../drawing";
import type { Count } from "./count";

export type { Joust, Pair, Turn, View };

/** A card that lies somewhere; one without a text lies face down. */
export interface Lying {
  readonly text: string | null;
  /** Whether it is still in its player's mind only, committed, or there. */
  readonly state: "made" | "sent" | "lies";
}

export interface Column {
  /** A place in the line of a joust, one of its discards, or a turn of the melee. */
  readonly kind: "beat" | "aside" | "turn";
  readonly number: number;
  /** By seat. */
  readonly cards: readonly (Lying | null)[];
  /** The result of comparing the two cards, once it is shown. */
  readonly pair: Pair | null;
  /** Who revealed first. */
  readonly leader: number | null;
  /** The pair that decided, or one that came too late to count. */
  readonly fate: "decides" | "ignored" | null;
}

/** What the viewer is choosing. */
export interface Mine {
  readonly made: readonly string[];
  readonly sent: boolean;
}

export const NOBODY: Mine = { made: [], sent: false };
export const SEATS = [0, 1] as const;
const LINE = 3;
const HAND = 5;
const DOWN: Lying = { text: null, state: "lies" };

export function isJoust(view: View): boolean {
  return ["new_game", "joust", "discard", "beat"].includes(view.phase);
}

/** The viewer's hand. One that was drawn after what is being shown comes later. */
export function heldIn({ view, fresh, resting }: Scene<View>): readonly string[] {
  const drew = fresh.some(({ event }) => /^kings_tournament_drew_for_(joust|melee)$/.test(event));
  return resting && drew ? [] : view.hand;
}

/** The joust or the melee turn under way. */
export function underWay(view: View, mine: Mine): Column[] {
  return isJoust(view) ? lineUnderWay(view, mine) : meleeUnderWay(view, mine);
}

function lineUnderWay(view: View, mine: Mine): Column[] {
  const beats = SEATS.map((seat) => lineOf(view, seat, mine));
  const asides = SEATS.map((seat) => asideOf(view, seat, mine));
  return jousting(
    (seat, beat) => beats[seat]?.[beat] ?? null,
    (seat, number) => asides[seat]?.[number] ?? null,
  );
}

function lineOf(view: View, seat: number, mine: Mine): Lying[] {
  const there = lying(view.line[seat] ?? []);
  if (view.phase === "discard") return there;
  if (seat === view.viewer) return [...there, ...own(view, mine)];
  return view.chosen[seat] ? [...there, ...Array<Lying>(view.wanted).fill(DOWN)] : there;
}

function asideOf(view: View, seat: number, mine: Mine): Lying[] {
  if (view.phase === "beat") return lying(view.aside[seat] ?? []);
  const chosen = view.chosen[seat] ?? false;
  if (seat !== view.viewer) return chosen ? [DOWN, DOWN] : [];
  if (view.phase === "discard") return own(view, mine);
  return chosen ? lying(view.hand) : [];
}

/** What the viewer has chosen: first only here, then sent, then known to the server. */
function own(view: View, mine: Mine): Lying[] {
  if (view.choice.length) return lying(view.choice);
  return mine.made.map((text) => ({ text, state: mine.sent ? "sent" : "made" }));
}

function lying(texts: readonly string[]): Lying[] {
  return texts.map((text) => ({ text, state: "lies" }));
}

type Place = (seat: number, place: number) => Lying | null;

function jousting(
  beats: Place,
  asides: Place,
  pairs: (beat: number) => Partial<Column> = () => ({}),
) {
  return Array.from({ length: HAND }, (_, place): Column => {
    const beat = place < LINE;
    const number = beat ? place : place - LINE;
    const cards = SEATS.map((seat) => (beat ? beats : asides)(seat, number));
    const blank = { number: number + 1, cards, pair: null, leader: null, fate: null };
    return beat ? { kind: "beat", ...blank, ...pairs(place + 1) } : { kind: "aside", ...blank };
  });
}

/** A joust as far as it is counted: revealed from the first pair, scored from the third (K6, K7). */
export function jousted(joust: Joust, count: Count): Column[] {
  return jousting(
    (seat, beat) => {
      const text = joust.pairs[beat]?.cards[seat] ?? null;
      return beat < count.revealed ? { text, state: "lies" } : DOWN;
    },
    (seat, number) => lying(joust.discards[seat] ?? [])[number] ?? null,
    (beat) => {
      const examined = beat > LINE - count.scored;
      const pair = examined ? (joust.pairs[beat - 1] ?? null) : null;
      const fate = joust.fates[beat - 1];
      if (fate === "ignored") return { pair, fate: count.decided ? fate : null };
      return { pair, fate: examined && fate === "decides" ? fate : null };
    },
  );
}

function meleeUnderWay(view: View, mine: Mine): Column[] {
  const { leader, led } = view;
  const cards = SEATS.map((seat): Lying | null => {
    if (seat === leader && led !== null) return { text: led, state: "lies" };
    return seat === view.viewer ? (own(view, mine)[0] ?? null) : null;
  });
  const over = view.phase === "over";
  return fought(view.turns, over ? null : { cards, leader });
}

/** The turns of a melee since the last draw, and the one that is being played. */
export function fought(
  turns: readonly Turn[],
  now: Pick<Column, "cards" | "leader"> | null = null,
): Column[] {
  return Array.from({ length: HAND }, (_, place): Column => {
    const blank = { kind: "turn", number: place + 1, pair: null, fate: null } as const;
    const turn = turns[place];
    if (turn) {
      const cards = lying(turn.pair.cards);
      return { ...blank, cards, pair: turn.pair, leader: turn.leader };
    }
    if (place === turns.length && now) return { ...blank, ...now };
    return { ...blank, cards: [null, null], leader: null };
  });
}

/** The turns with the one just finished; with it the hands may have been played out (K9). */
export function turnsThen(view: View, before: View | null): readonly Turn[] {
  if (view.turns.length || !view.last_turn) return view.turns;
  return [...(before?.turns ?? []), view.last_turn];
}

/** What was decided last: a turn of the melee, or the joust before it. */
export function lastOf(view: View): { joust: Joust } | { turn: Turn } | null {
  const { last, last_joust: joust, last_turn: turn } = view;
  if (last === "turn" && turn) return { turn };
  return joust && { joust };
}
