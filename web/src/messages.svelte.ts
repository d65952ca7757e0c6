/** The sentences of the catalogue, in the reader's language. */

import kinds from "../../src/hastilude/messages/kinds.json";
import type { Sentence } from "./protocol";

export const LANGUAGES = { en: "English", ja: "日本語" } as const;
export type Language = keyof typeof LANGUAGES;
export type Key = keyof typeof import("./paraglide/messages/en.js");
export type Values = Readonly<Record<string, unknown>>;
type Catalogue = Readonly<Record<string, (values: Values) => string>>;

const CATALOGUES: Record<Language, () => Promise<unknown>> = {
  en: () => import("./paraglide/messages/en.js"),
  ja: () => import("./paraglide/messages/ja.js"),
};

let catalogue = $state.raw<Catalogue>({});
let spoken = $state<Language>("en");

/** Load the sentences of a language, then change to it. */
export async function setLanguage(language: Language): Promise<void> {
  catalogue = (await CATALOGUES[language]()) as Catalogue;
  spoken = language;
}

export function language(): Language {
  return spoken;
}

/** A sentence of the page itself. */
export function say(key: Key, values: Values = {}): string {
  return sentence(key, values, []);
}

/** A sentence that the server chose, with its clause and the names of the seats. */
export function render(reason: Sentence, names: readonly string[] = []): string {
  const text = sentence(reason.key, reason.values, names);
  return reason.clause ? fill("by_clause", { clause: reason.clause, sentence: text }) : text;
}

/** The same as `render`, without the clause. */
export function sentence(key: string, values: Values, names: readonly string[]): string {
  const words = Object.entries(values).map(([name, value]) => [name, word(name, value, names)]);
  return fill(key, Object.fromEntries(words));
}

/** The name of a seat that has no name of its own. */
export function seatName(seat: number, names: readonly string[] = []): string {
  return names[seat] ?? fill("seat_name", { number: seat + 1 });
}

export function listed(words: readonly string[]): string {
  return words.join(fill("list_separator")) || fill("nothing");
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

function word(name: string, value: unknown, names: readonly string[]): unknown {
  const kind = (kinds as Record<string, string>)[name] ?? "";
  if (value === null || value === undefined) return fill("nothing");
  if (Array.isArray(value)) return listed(value.map((item) => String(wordOf(kind, item, names))));
  return wordOf(kind, value, names);
}

function wordOf(kind: string, value: unknown, names: readonly string[]): unknown {
  if (isSentence(value)) return render(value, names); // a sentence within a sentence
  if (kind === "seat") return seatName(Number(value), names);
  return kind ? fill(`${kind}_${String(value)}`) : value;
}

function isSentence(value: unknown): value is Sentence {
  return typeof value === "object" && value !== null && "key" in value && "values" in value;
}
