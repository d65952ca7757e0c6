/** Cards fly: whatever leaves one place and appears at another under the same key moves there. */

import { cubicOut } from "svelte/easing";
import { crossfade, fly } from "svelte/transition";
import { FLIGHT } from "../../games/drawing";
import { pacedMotion } from "../../settings.svelte";

export const [send, receive] = crossfade({
  duration: () => pacedMotion(FLIGHT),
  easing: cubicOut,
  fallback: (node) => fly(node, { y: -24, duration: pacedMotion(FLIGHT) }),
});
