/** The sentences of the catalogue, in the reader's language. */

import kinds from "./catalogue/kinds.json";
import type { Sentence } from "./protocol";

export const LANGUAGES = { en: "English", ja: "日本語" } as const;
export type Language = keyof typeof LANGUAGES;
export type Key =
  | keyof typeof import("./paraglide/first/messages/en.js")
  | keyof typeof import("./paraglide/later/messages/en.js");
export type Values = Readonly<Record<string, unknown>>;
type Catalogue = Readonly<Record<string, (values: Values) => string>>;

/** Of each language what the home page says, and the rest. */
const CATALOGUES: Record<Language, readonly [() => Promise<unknown>, () => Promise<unknown>]> = {
  en: [
    () => import("./paraglide/first/messages/en.js"),
    () => import("./paraglide/later/messages/en.js"),
  ],
  ja: [
    () => import("./paraglide/first/messages/ja.js"),
    () => import("./paraglide/later/messages/ja.js"),
  ],
};

let catalogue = $state.raw<Catalogue>({});
let current = $state<Language>("en");
let whole = false; // whether the rest is wanted, too

/** Load the sentences of a language, then change to it. */
export async function setLanguage(language: Language): Promise<void> {
  const [first, later] = CATALOGUES[language];
  const parts = await Promise.all([first(), ...(whole ? [later()] : [])]);
  catalogue = Object.assign({}, ...parts) as Catalogue;
  current = language;
}

/** Load what the home page does not say, before another screen is shown. */
export async function loadAllSentences(): Promise<void> {
  if (whole) return;
  whole = true;
  try {
    await setLanguage(current);
  } catch (problem) {
    whole = false;
    throw problem;
  }
}

export function language(): Language {
  return current;
}

/** Those at a table, for one reader. */
export interface People {
  readonly names: readonly string[];
  /** The seat of the reader, who is addressed as "you"; null for spectators. */
  readonly reader: number | null;
}

const NOBODY: People = { names: [], reader: null };

/** A sentence of the page itself. */
export function say(key: Key, values: Values = {}): string {
  return sentence(key, values);
}

/** A sentence that the server chose, with its clause. */
export function render(reason: Sentence, people = NOBODY): string {
  const text = sentence(reason.key, reason.values, people);
  return reason.clause ? fill("by_clause", { clause: reason.clause, sentence: text }) : text;
}

/** The same as `render`, without the clause. */
export function sentence(key: string, values: Values, people = NOBODY): string {
  const inputs: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) {
    inputs[name] = spoken(name, value, people);
    if (kindOf(name) === "seat") Object.assign(inputs, aboutReader(name, value, people));
  }
  return fill(key, inputs);
}

/** The name of a seat that has no name of its own. */
export function seatName(seat: number, names: readonly string[] = []): string {
  return names[seat] ?? fill("seat_name", { number: seat + 1 });
}

export function listed(words: readonly string[], last = "list_separator"): string {
  const start = words.slice(0, -1).join(fill("list_separator"));
  return [start, ...words.slice(-1)].filter(Boolean).join(fill(last)) || fill("nothing");
}

/** A sentence that may be missing, for example for a game that this page does not know yet. */
export function term(key: string, otherwise: string): string {
  return known(key) ? say(key) : otherwise;
}

export function known(key: string): key is Key {
  return compiled(key) in catalogue;
}

function fill(key: string, values: Values = {}): string {
  const message = catalogue[compiled(key)];
  return message ? message(values) : key;
}

/** The compiler lower-cases capitals and adds a number: `suit_C` becomes `suit_c1`. */
function compiled(key: string): string {
  const capitals = key.match(/[A-Z]/g)?.length;
  return capitals ? `${key.toLowerCase()}${capitals}` : key;
}

function kindOf(name: string): string {
  return (kinds as Record<string, string>)[name] ?? "";
}

/** Whether the reader is the seat, or among the seats; and who else is. */
function aboutReader(name: string, value: unknown, people: People): Record<string, string> {
  const seats: readonly unknown[] = Array.isArray(value) ? value : [value];
  const others = seats.filter((seat) => seat !== people.reader);
  const [alone, several] =
    others.length < seats.length ? (["you", "among"] as const) : (["other", "several"] as const);
  return {
    [`${name}_is`]: seats.length > 1 ? several : alone,
    [`${name}_others`]: String(spoken(name, others, people)),
  };
}

function spoken(name: string, value: unknown, people: People): unknown {
  const kind = kindOf(name);
  if (value === null || value === undefined) return fill("nothing");
  if (!Array.isArray(value)) return word(kind, value, people);
  if (kind === "score")
    return listed(value.map((score, seat) => sentence("seat_score", { seat, score }, people)));
  const words = value.map((item) => String(word(kind, item, people)));
  return listed(words, kind === "seat" || kind === "words" ? "list_and" : "list_separator");
}

function word(kind: string, value: unknown, people: People): unknown {
  if (isSentence(value)) return render(value, people); // a sentence within a sentence
  if (kind === "seat") return seatName(Number(value), people.names);
  return kind && kind !== "words" ? fill(`${kind}_${String(value)}`) : value;
}

function isSentence(value: unknown): value is Sentence {
  return typeof value === "object" && value !== null && "key" in value && "values" in value;
}
