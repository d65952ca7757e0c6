/** A puzzle that is being solved: a table with one choice to make, and then what it was worth. */

import * as api from "./api";
import { Choice } from "./choice.svelte";
import { drawingOf } from "./games";
import type { Drawing, Scene } from "./games/drawing";
import { namesAt, sitting } from "./levels";
import { sentence } from "./messages.svelte";
import type { PuzzlePosition, PuzzleVerdict, Sentence } from "./protocol";
import { after, type Progress } from "./puzzleProgress";
import { puzzleProgress, savePuzzleProgress } from "./storage";
import type { Explained } from "./table.svelte";

/** The most ids of answered puzzles that the server takes. */
const MOST_DONE = 1000;

/** The puzzle of the day, where an address has the id of a puzzle. */
export const DAILY = "daily";

export interface Answered extends PuzzleVerdict {
  readonly before: Progress;
  readonly after: Progress;
}

export class Puzzle {
  readonly names: readonly string[];
  /** The seat that has to choose is the reader's. */
  readonly reader: number;
  readonly scene: Scene;
  readonly choice: Choice;
  answered = $state.raw<Answered | null>(null);
  explained = $state.raw<Explained | null>(null);
  /** Why the answer could not be sent. */
  trouble = $state.raw<Sentence | null>(null);

  constructor(
    readonly position: PuzzlePosition,
    readonly drawing: Drawing,
  ) {
    const { game, id, seat, view, legal, complete } = position;
    const seats = Array.from({ length: position.seats }, () => sitting(""));
    this.reader = seat;
    this.names = namesAt(game, seats);
    this.scene = {
      view,
      seats,
      names: this.names,
      reader: seat,
      fresh: [],
      resting: false,
    };
    this.choice = new Choice({
      ask: (actions) => api.askPuzzle(game, id, actions),
      play: (actions) => void this.#answer(actions),
      explain: (action, reason) => (this.explained = { action, reason }),
      skip: () => {},
    });
    this.choice.offer(legal, complete);
  }

  /** The puzzle with an id, or the one of the day. */
  static async find(game: string, id: string): Promise<Puzzle> {
    return Puzzle.#drawn(id === DAILY ? api.dailyPuzzle(game, today()) : api.puzzle(game, id));
  }

  /** The one that suits the reader's rating best. */
  static async next(game: string, theme: string | null): Promise<Puzzle> {
    const { rating, done } = puzzleProgress(game);
    return Puzzle.#drawn(api.nextPuzzle(game, { rating, done: done.slice(-MOST_DONE), theme }));
  }

  static async #drawn(asked: Promise<PuzzlePosition>): Promise<Puzzle> {
    const position = await asked;
    const drawing = await drawingOf(position.game);
    if (!drawing) throw new Error(`no drawing of ${position.game}`);
    return new Puzzle(position, drawing);
  }

  get question(): string {
    const { game, view, seat } = this.position;
    return sentence(`${game}_ask_${view.phase}`, { seat }, this);
  }

  async #answer(actions: readonly string[]): Promise<void> {
    const { position } = this;
    const { game } = position;
    this.trouble = null;
    try {
      const verdict = await api.answerPuzzle(game, position.id, actions);
      const before = puzzleProgress(game);
      this.answered = { ...verdict, before, after: after(before, position, verdict.right) };
      savePuzzleProgress(game, this.answered.after);
    } catch (problem) {
      this.trouble = api.reasonOf(problem);
      this.choice.finish();
    }
  }
}

/** The reader's date, as in 2026-11-18. */
function today(): string {
  const now = new Date();
  const parts = [now.getFullYear(), now.getMonth() + 1, now.getDate()];
  return parts.map((part) => String(part).padStart(2, "0")).join("-");
}
