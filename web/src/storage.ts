/** What this browser remembers in its local storage; all of it may be missing. */

const PREFIX = "hastilude:";

export function load<T>(name: string, otherwise: T): T {
  try {
    const kept = localStorage.getItem(PREFIX + name);
    return kept === null ? otherwise : (JSON.parse(kept) as T);
  } catch {
    return otherwise; // private browsing, or written by something else
  }
}

export function save(name: string, value: unknown): void {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // The page works without memory.
  }
}

export function remove(name: string): void {
  try {
    localStorage.removeItem(PREFIX + name);
  } catch {
    // There was nothing.
  }
}

/** What a match was promised to be shuffled by, as this browser saw and said it before. */
export interface Pledge {
  /** What this seat added. */
  seed: string;
  /** The SHA-256 of the master seed that the table showed before. */
  commitment: string;
}

/** A seat at a table: its token opens it again. */
export interface Seat {
  code: string;
  game: string;
  token: string;
  seat: number;
  /** When it was used last, in milliseconds. */
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

export function removeSeat(code: string): void {
  save(
    "seats",
    seats().filter((seat) => seat.code !== code),
  );
}
