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
}

const NOTHING: readonly string[] = [];

export class LessonRun {
  /** The step that the learner has reached. */
  reached = $state(0);
  /** The step that is being read; the learner may look back. */
  shown = $state(0);
  /** A choice was made; the next step follows when the table has shown its result. */
  watching = $state(false);
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
    this.#reach(Math.min(bookmark.reached, lesson.steps.length - 1));
    this.shown = this.reached;
  }

  /** Continue where the learner stopped, or start from the beginning. */
  static async open(game: string): Promise<LessonRun> {
    const lesson = await api.lesson(game);
    const kept = load<Bookmark | null>(bookmarkName(game), null);
    const bookmark = kept ?? (await sit(game, lesson));
    return new LessonRun(
      game,
      lesson,
      new Table(bookmark.code, bookmark.token, false),
      bookmark,
      kept !== null,
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
    const here = this.shown === this.reached && !this.watching;
    return here && this.ready ? (this.step.play ?? null) : null;
  }

  get mayGoOn(): boolean {
    if (this.shown === this.reached) return !this.last && !this.step.play;
    return !this.watching || this.shown < this.reached - 1;
  }

  next(): void {
    if (!this.mayGoOn) return;
    if (this.shown === this.reached) this.#reach(this.reached + 1);
    this.shown += 1;
  }

  back(): void {
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
    choice.only = this.wanted ?? NOTHING;
  }

  #made(): void {
    this.watching = true;
    this.shown = this.reached;
    this.#reach(this.reached + 1);
  }

  /** Whether the choice was already made, before the page was closed. */
  #wasMade(): boolean {
    const { legal, phase } = this.table.latest ?? {};
    const [first] = this.wanted ?? [];
    return first !== undefined && (phase === "over" || !legal?.includes(first));
  }

  #reach(step: number): void {
    this.reached = step;
    if (step === this.count - 1) saveLessonDone(this.game);
    save(bookmarkName(this.game), { ...this.bookmark, reached: step });
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
  return { code, token, reached: 0 };
}
