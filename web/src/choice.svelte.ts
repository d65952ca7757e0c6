/**
 * The choice that a person is making. It stays in the page until it is complete and committed; the
 * server says what may follow, and why something is illegal.
 */

import type { Rehearsed, Sentence } from "./protocol";

export interface Chooser {
  /** Ask whether these actions would be legal, without playing them. */
  ask(actions: readonly string[]): Promise<Rehearsed>;
  play(actions: readonly string[]): void;
  explain(action: string, reason: Sentence): void;
  /** Skip what is still being shown of earlier updates. */
  skip(): void;
}

/** What the server would answer to an action that completes a choice. */
const COMPLETE = { legal: [], whole: true } as const;

export class Choice {
  /** The card that the first tap raised. */
  lifted = $state<string | null>(null);
  /** The actions chosen so far, of a choice that takes several. */
  made = $state.raw<readonly string[]>([]);
  /** Actions that were committed and are not confirmed yet. */
  sent = $state.raw<readonly string[] | null>(null);
  /** In a lesson only these may be played. */
  only = $state.raw<readonly string[] | null>(null);
  /** Called when somebody tries another card in a lesson that would be legal. */
  onOther: ((action: string) => void) | null = null;
  #legal = $state.raw<readonly string[]>([]);
  /** Those of them that are a whole choice by themselves. */
  #complete = $state.raw<readonly string[]>([]);
  #answers = $state.raw<ReadonlyMap<string, Rehearsed>>(new Map());

  constructor(private readonly chooser: Chooser) {}

  /** Whether it is this person's turn to choose. */
  get open(): boolean {
    return this.#legal.length > 0 && this.sent === null;
  }

  /** What may be chosen next. */
  get next(): readonly string[] {
    if (!this.open) return [];
    const legal = this.made.length ? (this.#known(this.made)?.legal ?? []) : this.#legal;
    return this.only ? legal.filter((action) => action === this.only?.[this.made.length]) : legal;
  }

  /** Whether the choice is complete and can be committed. */
  get whole(): boolean {
    return this.made.length > 0 && (this.#known(this.made)?.whole ?? false);
  }

  /** What the server lets this seat do; a different decision starts a new choice. */
  offer(legal: readonly string[], complete: readonly string[]): void {
    this.#complete = complete;
    if (legal.join() === this.#legal.join()) return;
    this.#legal = legal;
    this.reset();
  }

  reset(): void {
    this.made = [];
    this.lifted = null;
    this.#answers = new Map();
  }

  /** A tap raises a card, a second one takes it; a card that may not be taken is explained. */
  async tap(action: string): Promise<void> {
    this.chooser.skip();
    if (!this.next.includes(action)) await this.why(action);
    else if (this.lifted === action) await this.take(action);
    else this.lift(action);
  }

  lift(action: string | null): void {
    this.lifted = action;
    if (action === null || !this.next.includes(action)) return;
    const made = [...this.made, action];
    if (!this.#known(made)) void this.#ask(made);
  }

  /** Take the raised card. */
  async takeLifted(): Promise<void> {
    if (this.lifted !== null && this.next.includes(this.lifted)) await this.take(this.lifted);
  }

  /** Add an action to the choice. One that is whole with its first action is committed at once. */
  async take(action: string): Promise<void> {
    if (!this.next.includes(action)) return this.why(action);
    const made = [...this.made, action];
    const before = this.made;
    const answer = this.#known(made) ?? (await this.#ask(made));
    if (this.made !== before || !this.open) return; // the choice has changed meanwhile
    this.lifted = null;
    this.made = made;
    if (answer.whole && made.length === 1) this.commit();
  }

  /** Put a suggested choice together, up to the tap that commits it. */
  async suggest(actions: readonly string[]): Promise<void> {
    this.chooser.skip();
    const [first] = actions;
    if (this.made.length + actions.length === 1) return this.lift(first ?? null);
    for (const action of actions) await this.take(action);
  }

  /** Take back the last action, or the one at a place and all after it. */
  back(place = this.made.length - 1): void {
    if (this.sent !== null) return;
    this.made = this.made.slice(0, Math.max(0, place));
    this.lifted = null;
  }

  commit(): void {
    if (!this.open || !this.whole) return;
    this.sent = this.made;
    this.chooser.play(this.made);
  }

  /** The play was confirmed, or refused: the table as it is now counts. */
  finish(): void {
    this.sent = null;
    this.reset();
  }

  /** Say why an action may not be taken now. */
  async why(action: string): Promise<void> {
    const { refused } = await this.chooser.ask([...this.made, action]);
    if (refused) this.chooser.explain(action, refused);
    else this.onOther?.(action);
  }

  /** What may follow these actions, and whether they are whole, as far as that is known here. */
  #known(actions: readonly string[]): Pick<Rehearsed, "legal" | "whole"> | undefined {
    const [first] = actions;
    if (actions.length === 1 && first && this.#complete.includes(first)) return COMPLETE;
    return this.#answers.get(actions.join());
  }

  async #ask(actions: readonly string[]): Promise<Rehearsed> {
    const answer = await this.chooser.ask(actions);
    this.#answers = new Map(this.#answers).set(actions.join(), answer);
    return answer;
  }
}
