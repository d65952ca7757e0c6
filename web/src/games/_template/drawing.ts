/** The drawing of Template. */

import { REST, type Drawing } from "../drawing";
import Face from "./Card.svelte";
import Last from "./Last.svelte";
import { name } from "./names";
import type { View } from "./shown";
import Table from "./Table.svelte";

export const drawing: Drawing<View> = {
  Table,
  Last,
  Face,
  hasLast: ({ tricks }) => tricks.length > 0,
  name,
  rest: (fresh) => (fresh.some(({ ends }) => ends) ? REST : 0),
};
