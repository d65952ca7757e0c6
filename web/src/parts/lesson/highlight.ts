/** Highlights the elements that a lesson mentions, whenever they are drawn, and scrolls to them. */

import type { Action } from "svelte/action";

export const highlight: Action<HTMLElement, string> = (node, selector) => {
  let marked: readonly Element[] = [];

  function mark() {
    const before = marked;
    marked = selector ? [...node.querySelectorAll(selector)] : [];
    for (const element of before) element.removeAttribute("data-pointed");
    for (const element of marked) element.setAttribute("data-pointed", "");
    if (marked[0] !== before[0]) marked[0]?.scrollIntoView({ block: "nearest" });
  }

  const drawn = new MutationObserver(mark);
  drawn.observe(node, { childList: true, subtree: true });
  mark();
  return {
    update(other) {
      selector = other;
      mark();
    },
    destroy: () => drawn.disconnect(),
  };
};
