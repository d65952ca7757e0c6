/** The review of a finished match for one seat, which the server makes piece by piece. */

import type { MatchRecord } from "./record";
import type { Balance, Decision, Point, ReviewProgress } from "./protocol";

/** The server's side of a review; `look` asks for what comes after so many points and decisions. */
export interface Reviewer {
  start(): Promise<ReviewProgress>;
  look(points: number, decisions: number): Promise<ReviewProgress>;
}

/** Milliseconds between two looks; they become more if nothing is new. */
const SOON = 1000;
const LATE = 8000;
const SLOWER = 1.5;

export class Review {
  points = $state.raw<readonly Point[]>([]);
  decisions = $state.raw<readonly Decision[]>([]);
  /** Why the server could not be asked. */
  problem = $state.raw<unknown>(null);
  #latest = $state.raw<ReviewProgress | null>(null);
  #following = false;
  #asking = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #delay = SOON;

  /** The decisions that lost something. */
  readonly marked: readonly Decision[] = $derived(this.decisions.filter(isMarked));

  constructor(
    readonly seat: number,
    private readonly reviewer: Reviewer,
  ) {}

  /** Nothing until the server has answered for the first time. */
  get state(): ReviewProgress["state"] | null {
    return this.#latest?.state ?? null;
  }

  get underWay(): boolean {
    return this.state === "waiting" || this.state === "running";
  }

  get progress(): { readonly done: number; readonly total: number } {
    return this.#latest ?? { done: 0, total: 0 };
  }

  get balance(): Balance | null {
    return this.#latest?.balance ?? null;
  }

  /** The chances with all cards open. */
  get open(): readonly Point[] | null {
    return this.#latest?.open ?? null;
  }

  start(): Promise<void> {
    this.#following = true;
    return this.#ask(() => this.reviewer.start(), 0, 0);
  }

  /** Ask what there is, and again until all is there. */
  follow(): Promise<void> {
    this.#following = true;
    if (this.state === "done") return Promise.resolve();
    const [points, decisions] = [this.points.length, this.decisions.length];
    return this.#ask(() => this.reviewer.look(points, decisions), points, decisions);
  }

  /** Stop asking, while nobody looks. */
  rest(): void {
    this.#following = false;
    clearTimeout(this.#timer);
  }

  /** The answer has what comes after the first `points` and `decisions`. */
  async #ask(
    request: () => Promise<ReviewProgress>,
    points: number,
    decisions: number,
  ): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    clearTimeout(this.#timer);
    try {
      const found = await request();
      const isNews = found.points.length + found.decisions.length > 0;
      this.#delay = isNews ? SOON : Math.min(LATE, SLOWER * this.#delay);
      this.points = [...this.points.slice(0, points), ...found.points];
      this.decisions = [...this.decisions.slice(0, decisions), ...found.decisions];
      this.#latest = found;
      this.problem = null;
    } catch (problem) {
      this.problem = problem;
      return;
    } finally {
      this.#asking = false;
    }
    if (this.#following && this.underWay)
      this.#timer = setTimeout(() => void this.follow(), this.#delay);
  }
}

export function isMarked({ label }: Decision): boolean {
  return label !== "best" && label !== "good";
}

/** What the choice that was made lost. */
export function lossOf({ alternatives, played }: Decision): number {
  return alternatives[played]?.loss[0] ?? 0;
}

/** Shares as whole percents, and differences of shares as points. */
export function percent(share: number): number {
  return Math.round(100 * share);
}

/**
 * Steps count the events of a record, turns only its plays. The table of a turn is the one after all
 * chance events that followed the play.
 */
export class Steps {
  /** The steps of the turns: how many events come before the next play. */
  readonly #steps: readonly number[];

  constructor({ events }: MatchRecord) {
    const plays = [...events.keys()].filter((index) => events[index]?.[0] === "play");
    this.#steps = [...plays, events.length];
  }

  get last(): number {
    return this.#steps.at(-1) ?? 0;
  }

  at(turn: number): number {
    return this.#steps[turn] ?? this.last;
  }

  turnOf(step: number): number {
    return this.#steps.findIndex((next) => next >= step);
  }
}

/** The last point at or before a step. */
export function pointAt(points: readonly Point[], step: number): Point | undefined {
  return points.findLast((point) => point.step <= step);
}

const PARTS = ["start", "deal", "others", "offered", "given_away"] as const;

export interface BalancePart {
  readonly part: (typeof PARTS)[number];
  /** In points, with one decimal; rounded so that all parts and the result add up. */
  readonly points: number;
  readonly margin: number;
  /** The sum before and after this part. */
  readonly from: number;
  readonly to: number;
}

export function partsOf(balance: Balance): readonly BalancePart[] {
  let sum = 0;
  return PARTS.map((part) => {
    const [value, margin] = balance[part];
    const from = sum;
    sum += part === "given_away" ? -value : value;
    const points = (tenths(sum) - tenths(from)) / 10;
    return { part, points, margin: tenths(margin) / 10, from, to: sum };
  });
}

/** A share in tenths of a percent. */
function tenths(share: number): number {
  return Math.round(1000 * share);
}
