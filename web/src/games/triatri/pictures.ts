/** The pictures that explain TriATri. */

import type { Pictures } from "../drawing";
import CirclePicture from "./CirclePicture.svelte";
import MixedPicture from "./MixedPicture.svelte";
import ScorePicture from "./ScorePicture.svelte";

export const pictures: Pictures = {
  circle: CirclePicture,
  score: ScorePicture,
  fall: ScorePicture,
  mixed: MixedPicture,
};
