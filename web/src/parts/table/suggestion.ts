/** What to do after the first match of a game: learn it, or meet stronger bots. */

import { titleOf } from "../../facts";
import { LEVELS } from "../../levels";
import { say } from "../../messages.svelte";
import type { SeatState } from "../../protocol";
import { lessonsDone, saveFirstMatch } from "../../storage";

export interface Suggestion {
  readonly href: string;
  readonly text: string;
}

/** `match` names a match that has ended here. */
export function suggestionAfter(
  match: string,
  game: string,
  seats: readonly SeatState[],
): Suggestion | null {
  if (saveFirstMatch(game, match) !== match) return null;
  if (!lessonsDone().includes(game))
    return { href: `/learn/${game}`, text: say("web_learn_this", { title: titleOf(game) }) };
  const met = Math.max(...seats.map(({ level }) => LEVELS.findIndex((known) => known === level)));
  const harder = met < 0 ? undefined : LEVELS[met + 1];
  if (!harder || harder === "page") return null;
  return { href: `/play/${game}?level=${harder}`, text: say(`web_try_${harder}`) };
}
