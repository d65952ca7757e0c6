// What is wrong with the screen of a table, as sentences: the page scrolls, something that is needed
// is outside the viewport, covered or too small for a finger, text is cut, lies over other text or is
// too small.
({ prompt, board }) => {
  const SLACK = 1; // pixels by which rounding may be off
  const FINGER = 44;
  const problems = [];
  const root = document.documentElement;
  const quoted = (text) => `“${text.trim().slice(0, 30)}”`;
  const shows = (element) =>
    element.checkVisibility({ visibilityProperty: true }) && !element.closest(".visually-hidden");
  const within = (inner, outer) =>
    inner.left >= outer.left - SLACK &&
    inner.top >= outer.top - SLACK &&
    inner.right <= outer.right + SLACK &&
    inner.bottom <= outer.bottom + SLACK;
  const screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };

  if (root.scrollHeight > innerHeight + SLACK)
    problems.push(`the page is ${root.scrollHeight - innerHeight} px too high`);
  if (root.scrollWidth > innerWidth + SLACK)
    problems.push(`the page is ${root.scrollWidth - innerWidth} px too wide`);

  const covered = (element, box) => {
    const top = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
    return top && !element.contains(top) && !top.contains(element);
  };
  // What can be tapped may be larger than what is seen.
  const reach = (element, box) => {
    const around = getComputedStyle(element, "::after");
    const sides = ["width", "height"].map((side) =>
      Math.max(box[side], around.content === "none" ? 0 : parseFloat(around[side])),
    );
    return Math.min(...sides);
  };
  for (const needed of document.querySelectorAll("h1, button")) {
    if (!shows(needed) || needed.closest("aside")) continue;
    const box = needed.getBoundingClientRect();
    const name = needed.dataset.card ?? needed.ariaLabel ?? needed.textContent;
    if (!within(box, screen)) problems.push(`${quoted(name)} is outside the screen`);
    else if (covered(needed, box)) problems.push(`${quoted(name)} is covered`);
    const finger = reach(needed, box);
    if (needed.matches("button") && finger < FINGER - SLACK)
      problems.push(`${quoted(name)} is only ${finger} px wide or high`);
  }
  const heading = document.querySelector("h1");
  const hand = document.querySelector("[data-region=hand]").getBoundingClientRect();
  const asks = heading.getBoundingClientRect();
  const apart = Math.max(hand.top - asks.bottom, hand.left - asks.right);
  if (apart > innerHeight / 4) problems.push(`the prompt is ${Math.round(apart)} px from the hand`);

  // Text that is seen, with its boxes. Lines of text may touch, letters may not.
  const texts = [];
  const walker = document.createTreeWalker(document.querySelector(".table"), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const parent = node.parentElement;
    if (!node.data.trim() || !shows(parent) || parent.closest("aside, .fan")) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const boxes = parent.closest("svg") ? [parent.getBoundingClientRect()] : range.getClientRects();
    texts.push({ node, parent, boxes: [...boxes] });
  }
  const size = ({ parent }) => {
    const pixels = parseFloat(getComputedStyle(parent).fontSize);
    return pixels * (parent.getScreenCTM?.().a ?? 1);
  };
  const clips = (element) => getComputedStyle(element).overflow !== "visible";
  for (const text of texts) {
    const { node, parent, boxes } = text;
    for (const box of boxes) {
      if (!within(box, screen)) problems.push(`${quoted(node.data)} is outside the screen`);
      for (let at = parent; at && at !== root; at = at.parentElement)
        if (!(at instanceof SVGElement) && clips(at) && !within(box, at.getBoundingClientRect()))
          problems.push(`${quoted(node.data)} is cut`);
    }
    if (parent.closest(".card") && boxes.length > 1)
      problems.push(`${quoted(node.data)} is wrapped on its card`);
    if (size(text) < (parent.closest(".board") ? board : 0) - 0.01)
      problems.push(`${quoted(node.data)} is only ${size(text).toFixed(1)} px high`);
  }
  if (size({ parent: heading }) < prompt) problems.push("the prompt is too small");

  const letters = ({ left, right, top, bottom, height }) => ({
    left: left + SLACK,
    right: right - SLACK,
    top: top + 0.25 * height,
    bottom: bottom - 0.25 * height,
  });
  const flat = texts.flatMap(({ node, boxes }) => boxes.map((box) => ({ node, ...letters(box) })));
  flat.forEach((one, place) => {
    for (const other of flat.slice(place + 1)) {
      if (one.node === other.node) continue;
      const over = one.left < other.right && other.left < one.right;
      if (over && one.top < other.bottom && other.top < one.bottom)
        problems.push(`${quoted(one.node.data)} lies over ${quoted(other.node.data)}`);
    }
  });
  return [...new Set(problems)];
}
