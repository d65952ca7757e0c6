/** A match's record, as docs/records.md describes it. */
export interface MatchRecord {
  readonly game: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** Plays, and what chance did: `["play", seat, action]` and `[kind, {…}]`. */
  readonly events: readonly (readonly [string, ...unknown[]])[];
  readonly names?: readonly string[];
  /** The result; absent where a match was given up. */
  readonly scores?: readonly number[];
  readonly winners?: readonly number[];
  readonly proof?: unknown;
}
