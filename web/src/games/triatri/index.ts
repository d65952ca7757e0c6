import type { Drawing } from "../drawing";
import Table from "../plain/Table.svelte";

export const drawing: Drawing = {
  Table,
  Last: Table as never,
  hasLast: () => false,
  name: (action) => action,
  rest: () => 0,
};
