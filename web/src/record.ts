/** A match's record, as docs/records.md describes it. */
export interface MatchRecord {
  readonly game: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** Plays `["play", seat, action]` and chance events `[kind, {…}]`. */
  readonly events: readonly (readonly [string, ...unknown[]])[];
  readonly names?: readonly string[];
  /** The result; absent if the match was abandoned. */
  readonly scores?: readonly number[];
  readonly winners?: readonly number[];
  readonly proof?: unknown;
}
