/** The drawing of King's Tournament. */

import type { Told } from "../../protocol";
import { say } from "../../messages.svelte";
import { REST, type Drawing } from "../drawing";
import { JOUST_REST } from "./count";
import Last from "./Last.svelte";
import { name } from "./names";
import { pictures } from "./pictures";
import { score, sheet } from "./scores";
import { lastOf, type View } from "./shown";
import Table from "./Table.svelte";

const finished = (fresh: readonly Told[]) => fresh.findLast(({ ends }) => ends)?.ends;
const isJoust = (fresh: readonly Told[]) => fresh.some(({ ends }) => ends === "joust");

export const drawing: Drawing<View> = {
  Table,
  Last,
  pictures,
  hasLast: (view) => lastOf(view) !== null,
  score,
  sheet,
  name,
  rest: (fresh) => (isJoust(fresh) ? JOUST_REST : finished(fresh) ? REST : 0),
  counting: (fresh) => (isJoust(fresh) ? say("kings_tournament_counting") : ""),
};
