/** The log in groups: one for each trick, turn or round that ended, and one for what happens now. */

import { known, say, term, type People } from "../../messages.svelte";
import type { Told } from "../../protocol";

/** Something that happened at the table and not in the match: its sentence, and its place in the
 * log. */
export interface Note {
  readonly id: number;
  /** How many events of the match were before it. */
  readonly after: number;
  readonly event: string;
  readonly values: Told["values"];
  /** The people as they were then. */
  readonly people: People;
}

export type Entry = Told | Note;

export function isTold(entry: Entry): entry is Told {
  return "index" in entry;
}

export interface Group {
  /** The oldest first. */
  readonly entries: readonly Entry[];
  /** The chapter that ended here; "" for what is not over. */
  readonly ends: string;
  /** Which of the chapters of this name it was, in the longer chapter that they belong to. */
  readonly number: number;
}

/** All groups, the oldest first. */
export function grouped(history: readonly Told[], notes: readonly Note[] = []): readonly Group[] {
  const groups: Group[] = [];
  const numbers = new Map<string, number>();
  let entries: Entry[] = [];
  for (const told of history) {
    entries.push(...notes.filter(({ after }) => after === told.index), told);
    if (!told.ends) continue;
    const before = groups.at(-1);
    if (before?.ends === told.ends && entries.filter(isTold).length === 1)
      groups.splice(-1, 1, { ...before, entries: [...before.entries, ...entries] });
    else {
      for (const { ends } of history.slice(told.story, told.index))
        if (ends !== told.ends) numbers.delete(ends); // tricks are counted anew in each round
      const number = (numbers.get(told.ends) ?? 0) + 1;
      numbers.set(told.ends, number);
      groups.push({ entries, ends: told.ends, number });
    }
    entries = [];
  }
  entries.push(...notes.filter(({ after }) => after >= history.length));
  return entries.length ? [...groups, { entries, ends: "", number: 0 }] : groups;
}

/** What a group is called, in the words of its game. */
export function groupName(game: string, { ends, number }: Group): string {
  if (!ends) return say("web_log_now");
  const key = `${game}_chapter_${ends}`;
  return known(key) ? say(key, { number }) : term(`web_log_${ends}`, ends);
}

/** What ended a group, if one event says it all. */
export function endOf({ entries }: Group): Told | null {
  const ends = entries.filter(isTold).filter((told) => told.ends);
  return ends.length === 1 ? (ends[0] ?? null) : null;
}
