/** The rules of the games by clause, in the reader's language, fetched once. */

import * as api from "./api";
import { language } from "./messages.svelte";

type Clauses = Readonly<Record<string, string>>;
const fetched = new Map<string, Promise<Clauses>>();

export function rulesOf(game: string): Promise<Clauses> {
  const key = `${game}/${language()}`;
  const known = fetched.get(key);
  if (known) return known;
  const asked = api.rules(game, language());
  fetched.set(key, asked);
  asked.catch(() => fetched.delete(key));
  return asked;
}
