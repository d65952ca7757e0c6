/** Marks what a sentence speaks of, wherever and whenever it is drawn inside a node. */

import type { Action } from "svelte/action";

export const pointing: Action<HTMLElement, string> = (node, selector) => {
  let marked: readonly Element[] = [];

  function mark() {
    for (const element of marked) element.removeAttribute("data-pointed");
    marked = selector ? [...node.querySelectorAll(selector)] : [];
    for (const element of marked) element.setAttribute("data-pointed", "");
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
