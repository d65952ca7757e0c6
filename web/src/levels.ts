/** The levels of bots, and the names of the players in their seats. */

import { gameOf } from "./games";
import type { Level, SeatState } from "./protocol";
import { known, say, seatName } from "./messages.svelte";

/** From weak to strong. */
export const LEVELS = ["page", "squire", "knight", "champion"] as const satisfies readonly Level[];

export function levelName(level: Level): string {
  return say(`terminal_player_${level}`);
}

/** The name of the player in a seat; a bot's is its level. */
export function nameAt(
  seat: { readonly name: string; readonly level: string | null },
  number: number,
): string {
  const bot = `terminal_bot_${seat.level}`;
  if (seat.name) return seat.name;
  return known(bot) ? say(bot, { number: number + 1 }) : seatName(number);
}

/** Whether a bot plays on for a person who has left for good. */
export function hasLeft({ kind, name }: SeatState): boolean {
  return kind === "bot" && name !== "";
}

/** Why a seat is not played by its person; empty if it is, or was a bot's from the beginning. */
export function absenceOf(seat: SeatState): string {
  const { kind, here, stand_in } = seat;
  if (hasLeft(seat)) return say("web_seat_gone");
  if (kind !== "person") return "";
  if (stand_in) return say("web_seat_stand_in");
  return here ? "" : say("web_seat_away");
}

/** The names of all players at a table, including a dummy. */
export function namesAt(
  game: string,
  seats: readonly { readonly name: string; readonly level: string | null }[],
): readonly string[] {
  const names = seats.map(nameAt);
  return [...names, ...(gameOf(game)?.unseated?.() ?? [])];
}

/** A seat, as far as a record knows it: a bot's level is in place of its name. */
export function sitting(name: string): SeatState {
  const level = LEVELS.find((known) => known === name) ?? null;
  return {
    kind: level ? "bot" : "person",
    name: level ? "" : name,
    level,
    here: true,
    host: false,
    stand_in: false,
    left: null,
    running: false,
    takeover: null,
    offered: false,
  };
}
