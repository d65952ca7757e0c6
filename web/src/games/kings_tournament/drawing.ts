/** The drawing of King's Tournament. */

import type { Told } from "../../protocol";
import { say } from "../../messages.svelte";
import { FLIGHT, type Drawing } from "../drawing";
import { JOUST_REVEAL } from "./count";
import Face from "./Card.svelte";
import Last from "./Last.svelte";
import { name } from "./names";
import { pictures } from "./pictures";
import { score, sheet } from "./scores";
import { heldIn, lastOf, type View } from "./shown";
import Table from "./Table.svelte";

const isEnd = (fresh: readonly Told[]) => fresh.some(({ ends }) => ends);
const isJoust = (fresh: readonly Told[]) => fresh.some(({ ends }) => ends === "joust");

export const drawing: Drawing<View> = {
  Table,
  Last,
  Face,
  pictures,
  hasLast: (view) => lastOf(view) !== null,
  hand: heldIn,
  score,
  sheet,
  name,
  reveal: (fresh) => (isJoust(fresh) ? JOUST_REVEAL : isEnd(fresh) ? 2 * FLIGHT : null),
  rounds: ["game"],
  counting: (fresh, revealed) =>
    isJoust(fresh) && !revealed ? say("kings_tournament_counting") : "",
};
