/** Animates cards: an element that disappears and reappears elsewhere with the same key flies. */

import { cubicOut } from "svelte/easing";
import { crossfade, fly } from "svelte/transition";
import { FLIGHT } from "../../games/drawing";
import { pacedMotion } from "../../settings.svelte";

export const [send, receive] = crossfade({
  duration: () => pacedMotion(FLIGHT),
  easing: cubicOut,
  fallback: (node) => fly(node, { y: -24, duration: pacedMotion(FLIGHT) }),
});
