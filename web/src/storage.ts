/** What this browser saves in its local storage; all of it may be missing. */

import { BEGINNER, type Progress } from "./puzzleProgress";

const PREFIX = "hastilude:";

export function load<T>(name: string, otherwise: T): T {
  try {
    const kept = localStorage.getItem(PREFIX + name);
    return kept === null ? otherwise : (JSON.parse(kept) as T);
  } catch {
    return otherwise; // private browsing, or not written by this page
  }
}

export function save(name: string, value: unknown): void {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // The page works without storage.
  }
}

export function remove(name: string): void {
  try {
    localStorage.removeItem(PREFIX + name);
  } catch {
    // There was nothing to remove.
  }
}

/** What this browser knows about the seeds of a match before its proof is published. */
export interface Pledge {
  /** The seed that this seat added. */
  seed: string;
  /** The commitment that the table showed: the SHA-256 of the master seed. */
  commitment: string;
}

/** A seat at a table; its token gives access to it. */
export interface Seat {
  code: string;
  game: string;
  token: string;
  seat: number;
  /** When it was last used, in milliseconds. */
  used: number;
  /** By the number of the match. */
  seeds?: Readonly<Record<number, Pledge>>;
}

const MOST_SEATS = 20;

export function seats(): Seat[] {
  return load<Seat[]>("seats", []);
}

export function seatAt(code: string): Seat | undefined {
  return seats().find((seat) => seat.code === code);
}

export function saveSeat(seat: Seat): void {
  const before = seatAt(seat.code);
  const kept = before?.token === seat.token ? { ...before, ...seat } : seat;
  const others = seats().filter((other) => other.code !== seat.code);
  save("seats", [kept, ...others].slice(0, MOST_SEATS));
}

/** Save what the proof of a match's shuffles will be compared with; a scripted table promises
 * nothing. */
export function saveSeed(
  code: string,
  match: number,
  { seed, commitment }: { seed: string; commitment: string | null },
): void {
  const seat = seatAt(code);
  if (seat && commitment !== null)
    saveSeat({ ...seat, seeds: { ...seat.seeds, [match]: { seed, commitment } } });
}

/** How well the puzzles of a game were solved here. */
export function puzzleProgress(game: string): Progress {
  return { ...BEGINNER, ...load<Record<string, Progress>>("puzzles", {})[game] };
}

export function savePuzzleProgress(game: string, progress: Progress): void {
  save("puzzles", { ...load<Record<string, Progress>>("puzzles", {}), [game]: progress });
}

/** The games whose lesson was finished here. */
export function lessonsDone(): readonly string[] {
  return load<string[]>("lessons", []);
}

export function saveLessonDone(game: string): void {
  save("lessons", [...new Set([...lessonsDone(), game])]);
}

/** Save the match as the first of its game that ended here, unless there was one; returns the first. */
export function saveFirstMatch(game: string, match: string): string {
  const first = { [game]: match, ...load<Record<string, string>>("played", {}) };
  save("played", first);
  return first[game] ?? match;
}

export function removeSeat(code: string): void {
  save(
    "seats",
    seats().filter((seat) => seat.code !== code),
  );
}
