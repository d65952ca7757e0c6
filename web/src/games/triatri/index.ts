/** The drawing of Tri a Tri. */

import type { TriatriView } from "../../protocol";
import type { Drawing } from "../drawing";
import Last from "./Last.svelte";
import { name } from "./names";
import { rest } from "./shown";
import Table from "./Table.svelte";

export const drawing: Drawing = {
  Table: Table as unknown as Drawing["Table"],
  Last: Last as unknown as Drawing["Last"],
  hasLast(view) {
    const { last_trick, bids } = view as unknown as TriatriView;
    return last_trick !== null || bids.length > 0;
  },
  name,
  rest,
};
