/** The drawing of Template. */

import { FLIGHT, type Drawing } from "../drawing";
import Face from "./Card.svelte";
import Last from "./Last.svelte";
import { name } from "./names";
import { score, sheet } from "./scores";
import type { View } from "./shown";
import Table from "./Table.svelte";

export const drawing: Drawing<View> = {
  Table,
  Last,
  Face,
  hasLast: ({ tricks }) => tricks.length > 0,
  hand: ({ view }) => view.hand,
  score,
  sheet,
  name,
  reveal: (fresh) => (fresh.some(({ ends }) => ends) ? FLIGHT : null),
  rounds: [],
};
