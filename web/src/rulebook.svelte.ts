/** The rules of the games, in the reader's language, fetched once. */

import * as api from "./api";
import { language } from "./messages.svelte";
import type { RuleChapter } from "./protocol";

const fetched = new Map<string, Promise<readonly RuleChapter[]>>();

/** The chapters of a game's rules; the first is the summary. */
export function rulesOf(game: string): Promise<readonly RuleChapter[]> {
  const key = `${game}/${language()}`;
  const known = fetched.get(key);
  if (known) return known;
  const asked = api.rules(game, language());
  fetched.set(key, asked);
  asked.catch(() => fetched.delete(key));
  return asked;
}

/** The text of a clause; its name if there is none. */
export async function clauseOf(game: string, clause: string): Promise<string> {
  const items = (await rulesOf(game)).flatMap((chapter) => chapter.items);
  return items.find((item) => item.clause === clause)?.text ?? clause;
}
