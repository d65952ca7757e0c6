/** What cards, suits and places are called. */

import { say } from "../../messages.svelte";

/** From strong to weak (T2). */
export const SUITS = ["W", "F", "S", "C"] as const;
export type Suit = (typeof SUITS)[number];
export type Place = 1 | 2 | 3 | 4;
/** The place that a prediction of each suit says, as the view has it. */
export type SuitPlaces = Readonly<Record<string, number>>;

export function suitOf(card: string): Suit {
  return card[0] as Suit;
}

export function numberOf(card: string): string {
  return card.slice(1);
}

export function placeName(place: number): string {
  return say(`tornei_place_${place as Place}`);
}

/** The place that a prediction says. */
export function predictedPlace(card: string, places: SuitPlaces): number {
  return places[suitOf(card)] ?? 0;
}

export function cardName(card: string): string {
  return say("tornei_card_name", { suit: suitOf(card), number: numberOf(card) });
}
