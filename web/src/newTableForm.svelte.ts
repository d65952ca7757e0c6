/** The state of the forms that create a table. */

import { namesSeat } from "./facts";
import type { Clock, GameFacts, Level, NewTable, OptionFacts } from "./protocol";

export type ClockKind = Clock["kind"];
export type Watch = NonNullable<NewTable["watch"]>;
export type Opponent = Level | null; // null: a person

const SECONDS_PER_MOVE = 60;
const MINUTES = 10;
const INCREMENT = 10;
/** Seconds of absence after which a bot takes over; null: never. */
export const ABSENCES: readonly (number | null)[] = [null, 60, 180, 600];
const USUAL_ABSENCE = 180;

export class NewTableForm {
  options = $state<Record<string, unknown>>({});
  /** Who sits in the other seats. */
  others = $state<Opponent[]>([]);
  clock = $state<ClockKind>("none");
  seconds = $state(SECONDS_PER_MOVE);
  minutes = $state(MINUTES);
  increment = $state(INCREMENT);
  away = $state<number | null>(USUAL_ABSENCE);
  watch = $state<Watch>("link");
  practice = $state(false);
  /** Whether friends may use the card tracker; one person alone may. */
  tracker = $state(false);

  constructor(
    private readonly game: GameFacts,
    opponent: Opponent,
  ) {
    for (const { name, default: usual } of game.options) this.options[name] = copied(usual);
    this.others = Array.from({ length: Math.max(...game.players) - 1 }, () => opponent);
    this.practice = opponent !== null;
  }

  get players(): number {
    return Number(this.options.players ?? this.game.seats);
  }

  set players(count: number) {
    this.options.players = count;
    for (const { name, default: usual } of this.game.options) {
      if (namesSeat(this.game.name, name) && Number(this.options[name]) >= count)
        this.options[name] = usual;
    }
  }

  /** The values of an option. The server lists those for the default options, and checks them. */
  allowed({ name, allowed }: OptionFacts): readonly unknown[] {
    return namesSeat(this.game.name, name)
      ? allowed.filter((seat) => Number(seat) < this.players)
      : allowed;
  }

  /** The request to the server. */
  get body(): NewTable {
    return {
      game: this.game.name,
      options: $state.snapshot(this.options),
      seats: [null, ...this.others.slice(0, this.players - 1)],
      clock: this.#clock(),
      away: this.#away(),
      watch: this.watch,
      practice: this.practice,
      tracker: this.#alone || this.tracker,
    };
  }

  /** Where only one person plays, or for practice, the table waits. */
  #away(): number | null {
    return this.#alone || this.practice ? null : this.away;
  }

  get #alone(): boolean {
    return !this.others.slice(0, this.players - 1).includes(null);
  }

  #clock(): Clock {
    if (this.clock === "move") return { kind: "move", seconds: whole(this.seconds), increment: 0 };
    if (this.clock === "none") return { kind: "none", seconds: 0, increment: 0 };
    return {
      kind: "bank",
      seconds: whole(60 * this.minutes),
      increment: whole(this.increment),
    };
  }
}

/** An empty field counts as 0. */
function whole(value: number | null): number {
  return Math.round(value ?? 0);
}

function copied(value: unknown): unknown {
  return Array.isArray(value) ? [...(value as unknown[])] : value;
}
