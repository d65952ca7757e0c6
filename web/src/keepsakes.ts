/** What this browser remembers; all of it may be gone, and nothing breaks. */

const PREFIX = "hastilude:";

export function recall<T>(name: string, otherwise: T): T {
  try {
    const kept = localStorage.getItem(PREFIX + name);
    return kept === null ? otherwise : (JSON.parse(kept) as T);
  } catch {
    return otherwise; // private browsing, or written by something else
  }
}

export function keep(name: string, value: unknown): void {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // The page works without memory.
  }
}

/** A seat at a table: its token opens it again. */
export interface Seat {
  code: string;
  game: string;
  token: string;
  seat: number;
  /** When it was used last, in milliseconds. */
  used: number;
}

const MOST_SEATS = 20;

export function seats(): Seat[] {
  return recall<Seat[]>("seats", []);
}

export function seatAt(code: string): Seat | undefined {
  return seats().find((seat) => seat.code === code);
}

export function keepSeat(seat: Seat): void {
  const others = seats().filter((other) => other.code !== seat.code);
  keep("seats", [seat, ...others].slice(0, MOST_SEATS));
}

export function forgetSeat(code: string): void {
  keep(
    "seats",
    seats().filter((seat) => seat.code !== code),
  );
}
