/** The drawing of Tornei. */

import type { TorneiView } from "../../protocol";
import { say } from "../../messages.svelte";
import type { Drawing } from "../drawing";
import Face from "./Card.svelte";
import Last from "./Last.svelte";
import { countsRound, reveal, viewShown } from "./shown";
import { score, sheet } from "./scores";
import Table from "./Table.svelte";
import { cardName } from "./names";
import { pictures } from "./pictures";

export const drawing: Drawing<TorneiView> = {
  Table,
  Last,
  Face,
  pictures,
  hand: (scene) => viewShown(scene, scene.view).hand,
  score,
  sheet,
  hasLast: (view) => view.last_trick !== null,
  name: cardName,
  reveal,
  rounds: ["round"],
  counting: (fresh) => (countsRound(fresh) ? say("tornei_counting") : ""),
};
