/** The state of a replay: a finished match, turn by turn, as one viewer saw it. */

import * as api from "./api";
import { drawingOf } from "./games";
import { FLIGHT, READING, type Drawing, type Scene } from "./games/drawing";
import { namesAt, sitting } from "./levels";
import type { Decision, SeatState, Step, Told } from "./protocol";
import type { MatchRecord } from "./record";
import { Review, Steps } from "./review.svelte";
import { paced } from "./settings.svelte";
import { sentence } from "./messages.svelte";

/** How long a turn is shown during automatic play; always long enough to follow. */
const TURN = 1000;
const SHORTEST = 150;

/** Whose view is shown: a seat's, or a spectator's. */
export type Viewer = number | null;

export interface Held {
  readonly seat: number;
  readonly cards: readonly string[];
}

interface Server {
  replay(seat: Viewer): Promise<readonly Step[]>;
  review(seat: number): Review;
}

export class Replay {
  /** Anyone may look at a replay, so it tells of everyone by name. */
  readonly reader = null;
  seat = $state.raw<Viewer>(null);
  turn = $state(0);
  playing = $state(false);
  steps = $state.raw<readonly Step[]>([]);
  /** The review that is open. */
  review = $state.raw<Review | null>(null);
  /** Whether the hands of all seats are shown. */
  openHands = $state(false);
  /** Whether the table is shown as it is before the next play, not what was just decided. */
  #waiting = $state(false);
  #others = $state.raw<readonly (readonly Step[])[]>([]);

  /** All events until now that this viewer may know. */
  readonly history: readonly Told[] = $derived(
    this.steps.slice(0, this.turn + 1).flatMap((step) => step.events),
  );
  /** The turns in which something was decided. */
  readonly ends: readonly number[] = $derived(
    [...this.steps.keys()].filter((turn) => this.steps[turn]?.events.some((told) => told.ends)),
  );
  readonly counted: Steps;
  readonly #seen = new Map<Viewer, Promise<readonly Step[]>>();
  readonly #reviews = new Map<number, Review>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  private constructor(
    readonly record: MatchRecord,
    readonly drawing: Drawing,
    private readonly server: Server,
  ) {
    this.counted = new Steps(record);
  }

  static async open(
    { code, match, token }: { code: string; match: number; token: string | undefined },
    seat: Viewer,
    turn: number,
  ): Promise<Replay> {
    const record = await api.record(code, match, token);
    const drawing = await drawingOf(record.game);
    if (!drawing) throw new Error(`no drawing of ${record.game}`);
    const replay = new Replay(record, drawing, {
      replay: (eyes) => api.replay(code, match, eyes, token),
      review: (of) =>
        new Review(of, {
          start: () => api.startReview(code, match, of, token),
          look: (points, decisions) => api.review(code, match, of, { points, decisions }, token),
        }),
    });
    await replay.seenBy(seat);
    replay.to(turn);
    return replay;
  }

  get seats(): readonly SeatState[] {
    const { names, scores } = this.record;
    return names?.map(sitting) ?? scores?.map(() => sitting("")) ?? [];
  }

  get names(): readonly string[] {
    return namesAt(this.record.game, this.seats);
  }

  /** This turn, viewer and review, for the address. */
  get query(): Readonly<Record<string, number>> {
    return {
      ...(this.seat === null ? {} : { seat: this.seat }),
      turn: this.turn,
      ...(this.review && { review: this.review.seat }),
    };
  }

  get last(): number {
    return Math.max(0, this.steps.length - 1);
  }

  get fresh(): readonly Told[] {
    return this.steps[this.turn]?.events ?? [];
  }

  /** What was decided in this turn, if anything was. */
  get decided(): Told | undefined {
    return this.fresh.findLast((told) => told.ends);
  }

  /** The events that led to it. */
  get story(): readonly Told[] {
    const { decided } = this;
    return decided ? this.history.slice(decided.story, decided.index + 1) : [];
  }

  get scene(): Scene | null {
    const step = this.steps[this.turn];
    return step ? this.#sceneOf(step) : null;
  }

  /** The hands that the viewer does not see, as far as they are there. */
  get hands(): readonly Held[] {
    if (!this.openHands) return [];
    return this.#others.flatMap((steps, seat) => {
      const step = seat === this.seat ? undefined : steps[this.turn];
      return step ? { seat, cards: this.drawing.hand(this.#sceneOf(step)) } : [];
    });
  }

  /** What the reviewed seat had to decide in this turn, if anything. */
  get decision(): Decision | undefined {
    const step = this.counted.at(this.turn);
    return this.review?.decisions.find((decision) => decision.step === step);
  }

  /** What has just happened, in one sentence. */
  get headline(): string {
    const told = this.decided ?? this.history.at(-1);
    return told ? sentence(told.event, told.values, this) : "";
  }

  /** What led to it in this turn: the play itself. */
  get just(): string {
    const [first] = this.fresh;
    return first ? sentence(first.event, first.values, this) : "";
  }

  /** Show the same turn as another viewer sees it. */
  async seenBy(seat: Viewer): Promise<void> {
    this.seat = seat;
    const steps = await this.#stepsOf(seat);
    if (this.seat === seat) this.steps = steps; // otherwise another viewer was chosen meanwhile
  }

  /** Show the hands of all seats, or hide them again. */
  async showHands(open: boolean): Promise<void> {
    this.openHands = open;
    if (open)
      this.#others = await Promise.all([...this.seats.keys()].map((seat) => this.#stepsOf(seat)));
  }

  /** Open the review of a seat; null closes it. */
  openReview(seat: number | null): void {
    if (seat === null) {
      this.review = null;
      return;
    }
    this.review = this.#reviews.get(seat) ?? this.server.review(seat);
    this.#reviews.set(seat, this.review);
  }

  to(turn: number): void {
    this.#waiting = false;
    this.turn = Math.max(0, Math.min(this.last, Math.trunc(turn) || 0));
  }

  /** Go to a step of the record, with the table as it was before the next play. */
  toStep(step: number): void {
    this.pause();
    this.to(this.counted.turnOf(step));
    this.#waiting = true;
  }

  /** Go to the turn in which an event happened. */
  toEvent({ index }: Told): void {
    this.pause();
    this.to(this.steps.findIndex((step) => step.events.some((told) => told.index === index)));
  }

  /** Go to the next or previous turn in which something was decided. */
  toEnd(direction: 1 | -1): void {
    const next =
      direction > 0
        ? this.ends.find((turn) => turn > this.turn)
        : this.ends.findLast((turn) => turn < this.turn);
    this.to(next ?? (direction > 0 ? this.last : 0));
  }

  play(): void {
    if (this.turn === this.last) this.turn = 0;
    this.playing = true;
    this.#wait();
  }

  pause(): void {
    this.playing = false;
    clearTimeout(this.#timer);
  }

  #wait(): void {
    clearTimeout(this.#timer);
    const quiet = this.fresh.length === 0; // a choice that this viewer cannot see
    const result = this.#reveal === null ? TURN : this.#reveal + READING;
    const shown = quiet ? FLIGHT : result;
    this.#timer = setTimeout(() => this.#on(), Math.max(SHORTEST, paced(shown)));
  }

  #on(): void {
    this.to(this.turn + 1);
    if (this.turn === this.last) this.pause();
    else this.#wait();
  }

  #stepsOf(seat: Viewer): Promise<readonly Step[]> {
    const asked = this.#seen.get(seat) ?? this.server.replay(seat);
    this.#seen.set(seat, asked);
    asked.catch(() => this.#seen.delete(seat));
    return asked;
  }

  #sceneOf({ view, events }: Step): Scene {
    return {
      view,
      seats: this.seats,
      names: this.names,
      reader: this.reader,
      fresh: this.#waiting ? [] : events,
      resting: !this.#waiting && this.#reveal !== null,
    };
  }

  get #reveal(): number | null {
    return this.drawing.reveal(this.fresh);
  }
}
