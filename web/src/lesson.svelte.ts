/**
 * A run through a lesson: a scripted table on the server, and the sentences shown during its match.
 * The table decides what may be played and what happens.
 */

import * as api from "./api";
import { remove, save, saveLessonDone, load } from "./storage";
import type { Lesson, LessonStep } from "./protocol";
import { settings } from "./settings.svelte";
import { Table } from "./table.svelte";
import { seatName } from "./messages.svelte";

/** Where the learner stopped, to resume there. */
interface Bookmark {
  readonly code: string;
  readonly token: string;
  readonly reached: number;
  /** The sentence there: another one now means that the lesson has changed since. */
  readonly say: string;
}

/** What the coach answers to a card that the lesson does not ask for. */
export interface Objection {
  readonly key: string;
  /** Counts them, so that the same answer is announced again. */
  readonly number: number;
}

const NOTHING: readonly string[] = [];

export class LessonRun {
  /** The step that the learner has reached. */
  reached = $state(0);
  /** The step that is being read; the learner may look back. */
  shown = $state(0);
  /** A choice was made; the next step follows when the table has shown its result. */
  watching = $state(false);
  /** What to say about the card that was tried last. */
  objection = $state.raw<Objection | null>(null);
  /** Whether the learner has made a choice of their own in this step. */
  chosenFreely = $state(false);
  /** The version of the table when a choice was committed. */
  #chosenAt: number | null = null;

  private constructor(
    readonly game: string,
    readonly lesson: Lesson,
    readonly table: Table,
    private readonly bookmark: Bookmark,
    /** Whether the learner returns to a lesson begun earlier. */
    readonly resumed: boolean,
  ) {
    this.#reach(bookmark.reached);
    this.shown = this.reached;
    table.choice.onOther = () => this.#object();
  }

  /** Continue where the learner stopped, or start from the beginning. */
  static async open(game: string): Promise<LessonRun> {
    const lesson = await api.lesson(game);
    const kept = load<Bookmark | null>(bookmarkName(game), null);
    const resumed = kept !== null && lesson.steps[kept.reached]?.say === kept.say;
    const bookmark = resumed ? kept : await sit(game, lesson);
    return new LessonRun(
      game,
      lesson,
      new Table(bookmark.code, bookmark.token, false),
      bookmark,
      resumed,
    );
  }

  close(): void {
    this.table.close();
  }

  /** Leave the table, because the learner does not return to it. */
  leave(): void {
    this.table.send({ type: "leave" });
    remove(bookmarkName(this.game));
  }

  get step(): LessonStep {
    return this.lesson.steps[this.shown] as LessonStep;
  }

  get count(): number {
    return this.lesson.steps.length;
  }

  get last(): boolean {
    return this.shown === this.count - 1;
  }

  /** Whether everything was shown and it is the learner's turn, or the match is over. */
  get ready(): boolean {
    const { latest, scene, choice } = this.table;
    const shown = scene !== null && scene.view === latest?.view && !scene.resting;
    return shown && (choice.open || latest?.phase === "over");
  }

  /** The choice that the learner should make now. */
  get wanted(): readonly string[] | null {
    return this.#asks ? this.step.play : null;
  }

  /** Whether the learner may choose anything that is legal. */
  get free(): boolean {
    return this.#asks && this.step.free !== null;
  }

  get mayGoOn(): boolean {
    if (this.shown === this.reached) return !this.last && !this.step.play && !this.step.free;
    return !this.watching || this.shown < this.reached - 1;
  }

  next(): void {
    this.objection = null;
    if (!this.mayGoOn) return;
    if (this.shown === this.reached) this.#reach(this.reached + 1);
    this.shown += 1;
  }

  back(): void {
    this.objection = null;
    this.shown = Math.max(0, this.shown - 1);
  }

  /** Call this whenever the table has changed. It allows only the choice that the lesson wants. */
  follow(): void {
    const { choice, latest } = this.table;
    const version = latest?.version ?? 0;
    if (choice.sent !== null) this.#chosenAt ??= version;
    else if (this.#chosenAt !== null || this.#wasMade()) {
      if (version > (this.#chosenAt ?? 0)) this.#made();
      this.#chosenAt = null;
    }
    if (this.watching && this.ready) {
      this.watching = false;
      this.shown = this.reached;
    }
    if (this.free && this.#freeOver) {
      this.#reach(this.reached + 1);
      this.shown = this.reached;
    }
    choice.only = this.free ? null : (this.wanted ?? NOTHING);
  }

  /** Whether the learner has read everything and it is time to choose. */
  get #asks(): boolean {
    return this.shown === this.reached && !this.watching && this.ready;
  }

  #made(): void {
    this.objection = null;
    if (this.step.free) {
      this.chosenFreely = true;
      return;
    }
    this.watching = true;
    this.shown = this.reached;
    this.#reach(this.reached + 1);
  }

  /** Whether the part of the match is over that the learner plays on their own. */
  get #freeOver(): boolean {
    const { until, number } = this.step.free ?? { until: "", number: 0 };
    const { history, latest } = this.table;
    return (
      latest?.phase === "over" || history.filter(({ ends }) => ends === until).length >= number
    );
  }

  /** Say why another card is asked for. */
  #object(): void {
    const key = this.wanted ? `${this.step.say}_why` : this.last ? "lesson_over" : "lesson_read";
    this.objection = { key, number: (this.objection?.number ?? 0) + 1 };
  }

  /** Whether the choice was already made, before the page was closed. */
  #wasMade(): boolean {
    const { legal, phase } = this.table.latest ?? {};
    const [first] = this.wanted ?? [];
    return first !== undefined && (phase === "over" || !legal?.includes(first));
  }

  #reach(step: number): void {
    this.reached = step;
    const say = this.lesson.steps[step]?.say ?? "";
    save(bookmarkName(this.game), { ...this.bookmark, reached: step, say });
    if (step === this.count - 1) saveLessonDone(this.game);
  }
}

function bookmarkName(game: string): string {
  return `lesson:${game}`;
}

/** Open the table of a lesson and take the learner's seat. */
async function sit(game: string, lesson: Lesson): Promise<Bookmark> {
  const { options, seats, chance, plays, seat } = lesson;
  const script = { chance, plays };
  const { code, host } = await api.open({
    game,
    options,
    seats,
    script,
    watch: "nobody",
    away: null,
  });
  const name = settings.name.trim() || seatName(seat);
  const { token } = await api.sit(code, { name, seed: api.seed(), host });
  return { code, token, reached: 0, say: "" };
}
