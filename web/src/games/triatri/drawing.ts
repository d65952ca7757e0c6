/** The drawing of Tri a Tri. */

import type { TriatriView } from "../../protocol";
import type { Drawing } from "../drawing";
import Face from "./Face.svelte";
import Last from "./Last.svelte";
import { name } from "./names";
import { pictures } from "./pictures";
import { score, sheet } from "./scores";
import { LAST_STEP, reveal, shown } from "./shown";
import Table from "./Table.svelte";

export const drawing: Drawing<TriatriView> = {
  Table,
  Last,
  Face,
  pictures,
  hasLast: ({ last_trick, bids }) => last_trick !== null || bids.length > 0,
  hand: (scene) => shown(scene, LAST_STEP, null).hand,
  score,
  sheet,
  name,
  reveal,
  rounds: ["round"],
};
