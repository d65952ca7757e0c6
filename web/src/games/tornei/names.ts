/** What cards, suits and places are called. */

import { say } from "../../messages.svelte";

/** From strong to weak; the first stands for the first place (T2, T7). */
export const SUITS = ["W", "F", "S", "C"] as const;
export type Suit = (typeof SUITS)[number];
export type Place = 1 | 2 | 3 | 4;

export function suitOf(card: string): Suit {
  return card[0] as Suit;
}

export function numberOf(card: string): string {
  return card.slice(1);
}

/** The place that a prediction says. */
export function placeOf(card: string): Place {
  return (SUITS.indexOf(suitOf(card)) + 1) as Place;
}

export function placeName(place: number): string {
  return say(`tornei_place_${place as Place}`);
}

export function cardName(card: string): string {
  return say("tornei_card_name", { suit: suitOf(card), number: numberOf(card) });
}
