/** The pictures that explain King's Tournament. */

import type { Pictures } from "../drawing";
import PairsPicture from "./PairsPicture.svelte";

export const pictures: Pictures = {
  worth: PairsPicture,
  line: PairsPicture,
  blow: PairsPicture,
};
