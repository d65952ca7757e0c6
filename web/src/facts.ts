/** The games that the server offers, described in words. */

import * as api from "./api";
import { gameOf } from "./games";
import type { Clock, GameFacts } from "./protocol";
import { say, term } from "./messages.svelte";

let fetched: Promise<readonly GameFacts[]> | null = null;

/** All games; fetched once. */
export function games(): Promise<readonly GameFacts[]> {
  fetched ??= api.games().catch((problem: unknown) => {
    fetched = null;
    throw problem;
  });
  return fetched;
}

/** A game by its name; refused if there is none. */
export async function gameNamed(name: string): Promise<GameFacts> {
  const all = await games();
  const game = all.find((known) => known.name === name);
  const values = { game: name, known: all.map((known) => known.name) };
  if (!game) throw new api.Refusal({ key: "game_unknown", values, clause: "" });
  return game;
}

export function titleOf(game: string): string {
  return term(`${game}_title`, game);
}

export function playersOf({ players }: GameFacts): string {
  const [least, most] = [Math.min(...players), Math.max(...players)];
  if (least === most) return say("web_players", { count: least });
  return say("web_players_range", { least, most });
}

export function optionName(game: string, option: string): string {
  return term(`${game}_option_${option}`, term(`option_${option}`, option));
}

export function optionValue(game: string, option: string, value: unknown): string {
  if (namesSeat(game, option)) return say("web_seat", { number: Number(value) + 1 });
  if (Array.isArray(value)) return value.join(" ");
  return term(`${game}_value_${String(value)}`, String(value));
}

/** Whether the values of an option are seats. */
export function namesSeat(game: string, option: string): boolean {
  return gameOf(game)?.seatOptions?.includes(option) ?? false;
}

/** A clock in words; nothing if there is none. */
export function clockWords({ kind, seconds, increment }: Clock): string {
  if (kind === "move") return say("web_clock_told_move", { seconds });
  if (kind === "bank")
    return say("web_clock_told_bank", { minutes: Math.round((10 * seconds) / 60) / 10, increment });
  return "";
}

/** What happens if a player is offline; seconds, null: nothing. */
export function awayWords(away: number | null): string {
  if (away === null) return say("web_away_never");
  return say("web_away_after", { minutes: Math.round((10 * away) / 60) / 10 });
}

/** A free name for somebody who enters none. */
export function guestName(taken: readonly string[]): string {
  const guest = say("web_guest");
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? guest : `${guest} ${number}`;
    if (!taken.includes(name)) return name;
  }
}
