/** The clocks of the seats, which keep running between the server's updates. */

import type { SeatState } from "./protocol";

const arrivals = new WeakMap<SeatState, number>();

/** The time left in this update is as of now. */
export function startClocks(seats: readonly SeatState[]): void {
  for (const seat of seats) arrivals.set(seat, performance.now());
}

/** The milliseconds left to a seat; null without a clock. */
export function leftNow(seat: SeatState): number | null {
  if (seat.left === null) return null;
  const gone = seat.running ? performance.now() - (arrivals.get(seat) ?? performance.now()) : 0;
  return Math.max(0, seat.left - gone);
}

/** The milliseconds until a bot takes over from an absent player; null: none will. */
export function takeoverNow(seat: SeatState): number | null {
  if (seat.takeover === null) return null;
  const gone = performance.now() - (arrivals.get(seat) ?? performance.now());
  return Math.max(0, seat.takeover - gone);
}

/** Formats a time as 1:05 or 2:00:00, rounded up, so that 0:00 is the end. */
export function formatTime(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts[0] ? parts : parts.slice(1);
  return shown.map((part, place) => String(part).padStart(place ? 2 : 1, "0")).join(":");
}
