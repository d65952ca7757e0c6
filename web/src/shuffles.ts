/**
 * Checks shuffles in the browser, as defined in docs/shuffles.md. It knows no rules of any game, so
 * it does not check that the right cards were shuffled.
 */

import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import type { Sentence } from "./protocol";
import type { MatchRecord } from "./record";

export const SCHEME = "hastilude-hmac-sha256-1";
const WORDS = 2 ** 32; // how many values a word of the stream can have

export interface Proof {
  readonly scheme: string;
  readonly table: string;
  readonly commitment: string;
  readonly master: string;
  readonly seeds: readonly string[];
  readonly events: readonly Shuffled[];
}

export interface Shuffled {
  readonly kind: string;
  readonly from: readonly string[];
  readonly to: readonly string[];
}

/** What a table publishes before anyone sits down. */
export function commitment(master: string): string {
  return bytesToHex(sha256(hexToBytes(master)));
}

/** The random words of one chance event of a match; events are counted from 0. */
export class Stream {
  readonly message: Uint8Array;
  readonly #master: Uint8Array;
  readonly #words = this.words();

  constructor(master: string, table: string, seeds: readonly string[], event: number) {
    this.#master = hexToBytes(master);
    this.message = concatBytes(
      sized(utf8ToBytes(table)),
      number(event),
      number(seeds.length),
      ...seeds.map((seed) => sized(hexToBytes(seed))),
    );
  }

  block(counter: number): Uint8Array {
    return hmac(sha256, this.#master, concatBytes(this.message, number(counter)));
  }

  *words(): Generator<number, never> {
    for (let counter = 0; ; counter++) {
      const block = new DataView(this.block(counter).buffer);
      for (let at = 0; at < block.byteLength; at += 4) yield block.getUint32(at);
    }
  }

  /** A number from 0 to limit - 1. Words of the last, incomplete round of remainders are skipped,
   * because they would make small numbers likelier. */
  below(limit: number): number {
    const fair = WORDS - (WORDS % limit);
    for (;;) {
      const word = this.#words.next().value;
      if (word < fair) return word % limit;
    }
  }

  /** Fisher-Yates, from the last place down to the second. */
  shuffled(from: readonly string[]): string[] {
    const items = [...from];
    for (let last = items.length - 1; last > 0; last--) {
      const other = this.below(last + 1);
      [items[last], items[other]] = [items[other] as string, items[last] as string];
    }
    return items;
  }
}

function number(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

/** The content with its length before it, so that different parts never give the same bytes. */
function sized(content: Uint8Array): Uint8Array {
  return concatBytes(number(content.length), content);
}

// --- the proof ------------------------------------------------------------------------------------

/** The first thing that is wrong with a record's shuffles; null if all is right. `texts` are the
 * game's texts in their order. */
export function wrong(record: MatchRecord, texts: readonly string[]): Sentence | null {
  const { proof } = record;
  if (proof === undefined) return reason("web_shuffles_no_proof");
  const misshapen = wrongForm(proof);
  if (misshapen) return misshapen;
  return wrongPromise(proof as Proof, record) ?? wrongEvents(proof as Proof, record, texts);
}

function wrongPromise(proof: Proof, record: MatchRecord): Sentence | null {
  const found = commitment(proof.master);
  if (found !== proof.commitment)
    return reason("proof_commitment", { found, commitment: proof.commitment });
  const wanted = (record.names ?? record.scores ?? proof.seeds).length;
  if (proof.seeds.length !== wanted)
    return reason("proof_seeds", { count: proof.seeds.length, wanted });
  return null;
}

function wrongEvents(proof: Proof, record: MatchRecord, texts: readonly string[]): Sentence | null {
  const chance = record.events
    .map(([kind, values], index) => ({ kind, values, index }))
    .filter(({ kind }) => kind !== "play");
  if (chance.length !== proof.events.length)
    return reason("proof_count", { count: proof.events.length, wanted: chance.length });
  for (const [event, { kind, values, index }] of chance.entries()) {
    const listed = proof.events[event] as Shuffled;
    const stream = new Stream(proof.master, proof.table, proof.seeds, event);
    if (listed.kind !== kind) return reason("proof_kind", { index, kind });
    if (!ascending(listed.from, texts)) return reason("proof_from", { index, kind });
    if (!same(listed.to, stream.shuffled(listed.from))) return reason("proof_to", { index, kind });
    if (!comesTo(values, listed.to)) return reason("proof_result", { index, kind });
  }
  return null;
}

/** Whether these are in their canonical order: starting from another order would allow any
 * result. */
function ascending(from: readonly string[], texts: readonly string[]): boolean {
  const ranks = from.map((text) => (texts.includes(text) ? texts.indexOf(text) : Number(text)));
  return ranks.every((rank, place) => rank >= (ranks[place - 1] ?? 0));
}

/**
 * Whether a record's chance event has this order of cards: its lists, joined, are the whole order.
 * An event without lists, such as a drawn seat, has only the first item.
 */
function comesTo(values: unknown, order: readonly string[]): boolean {
  const parts = Object.values(isObject(values) ? values : {});
  const lists = parts.filter((part) => Array.isArray(part));
  if (lists.length) return same(lists.flat(2), order);
  return same(parts.map(String), order.slice(0, parts.length)) && parts.length > 0;
}

function same(one: readonly unknown[], other: readonly unknown[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

// --- its form -------------------------------------------------------------------------------------

type Form = (value: unknown) => boolean;

const isTexts: Form = (value) =>
  Array.isArray(value) && value.every((text) => typeof text === "string");
const isHex: Form = (value) => typeof value === "string" && /^([0-9a-f]{2})*$/.test(value);
const isHash: Form = (value) => isHex(value) && (value as string).length === 64;

const SHUFFLED: Record<string, Form> = {
  kind: (value) => typeof value === "string",
  from: isTexts,
  to: isTexts,
};

const FORMS: Record<string, Form> = {
  table: (value) => typeof value === "string" && /^( |[^\p{C}\p{Z}])*$/u.test(value),
  commitment: isHash,
  master: isHash,
  seeds: (value) => Array.isArray(value) && value.every(isHex),
  events: (value) => Array.isArray(value) && value.every(isShuffled),
};

function isShuffled(value: unknown): boolean {
  if (!hasFields(value, Object.keys(SHUFFLED))) return false;
  return Object.entries(SHUFFLED).every(([field, isRight]) => isRight(value[field]));
}

function wrongForm(proof: unknown): Sentence | null {
  if (!isObject(proof) || proof.scheme !== SCHEME)
    return reason("proof_scheme", { scheme: SCHEME });
  const fields = ["scheme", ...Object.keys(FORMS)];
  if (!hasFields(proof, fields)) return reason("proof_fields", { fields });
  const field = Object.keys(FORMS).find((name) => !FORMS[name]?.(proof[name]));
  return field ? reason("proof_form", { field }) : null;
}

function hasFields(value: unknown, fields: readonly string[]): value is Record<string, unknown> {
  return isObject(value) && same(Object.keys(value).sort(), [...fields].sort());
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function reason(key: string, values: Record<string, unknown> = {}): Sentence {
  return { key, values, clause: "" };
}
