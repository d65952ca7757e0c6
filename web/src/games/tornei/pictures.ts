/** The pictures that explain Tornei. */

import type { Pictures } from "../drawing";
import SuitsPicture from "./SuitsPicture.svelte";

export const pictures: Pictures = {
  suits: SuitsPicture,
  places: SuitsPicture,
  points: SuitsPicture,
};
