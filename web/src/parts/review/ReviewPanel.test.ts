import { cleanup, fireEvent, render, screen, within } from "@testing-library/svelte";
import { tick } from "svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import * as api from "../../api";
import { setLanguage } from "../../messages.svelte";
import type { ReviewProgress } from "../../protocol";
import { Replay } from "../../replay.svelte";
import { DRAWING, PROGRESS, RECORD, stepsFor } from "./fixture";
import ReviewPanel from "./ReviewPanel.svelte";

vi.mock("../../games", async (original) => ({
  ...(await original()),
  drawingOf: () => Promise.resolve(DRAWING),
}));

const handlers = { onreview: vi.fn(), onlearn: vi.fn(), onhands: vi.fn(), onjump: vi.fn() };

async function shown(found: Partial<ReviewProgress> = {}, learning = false) {
  const all = { ...PROGRESS, ...found };
  vi.spyOn(api, "review").mockImplementation((_code, _match, _seat, { points, decisions }) =>
    Promise.resolve({
      ...all,
      points: all.points.slice(points),
      decisions: all.decisions.slice(decisions),
    }),
  );
  const replay = await Replay.open({ code: "k7qm2x", match: 1, token: undefined }, 0, 0);
  replay.openReview(0);
  const { review } = replay;
  if (!review) throw new Error("no review");
  await review.follow();
  const props = { replay, review, own: 1, ...handlers };
  const { rerender } = render(ReviewPanel, { ...props, learning });
  await tick();
  return { replay, review, learn: () => rerender({ ...props, learning: true }) };
}

const button = (name: string | RegExp) => screen.getByRole("button", { name });
const section = (heading: string | RegExp) =>
  within(screen.getByRole("heading", { name: heading }).closest("section") as HTMLElement);

beforeEach(async () => {
  vi.spyOn(api, "record").mockResolvedValue(RECORD);
  vi.spyOn(api, "replay").mockImplementation((_code, _match, seat) =>
    Promise.resolve(stepsFor(seat)),
  );
  await setLanguage("en");
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

test("what was never asked for is offered", async () => {
  const start = vi.spyOn(api, "startReview").mockResolvedValue(PROGRESS);
  await shown({ state: "none", points: [], decisions: [], balance: null, open: null });
  await fireEvent.click(button("Review this match"));
  await vi.waitFor(() => expect(screen.getByText("Skill and luck")).toBeTruthy());
  expect(start).toHaveBeenCalledWith("k7qm2x", 1, 0, undefined);
});

test("while it is made, there is the progress and what is known so far", async () => {
  const [first, second] = PROGRESS.points;
  if (!first || !second) throw new Error("no points");
  await shown({
    state: "running",
    done: 3,
    points: [first, second],
    decisions: PROGRESS.decisions.slice(0, 1),
    balance: null,
    open: null,
  });
  const progress = screen.getByRole("progressbar");
  expect([progress.getAttribute("value"), progress.getAttribute("max")]).toEqual(["3", "7"]);
  expect(button("Move 0, Blunder: 15 points lost")).toBeTruthy();
  expect(screen.queryByText("Skill and luck")).toBeNull();
  expect(screen.queryByRole("button", { name: "Learn from the mistakes" })).toBeNull();
  await new Promise((later) => setTimeout(later, 50));
  expect(api.review).toHaveBeenCalledTimes(2); // when it was opened, and when it was shown
});

test("one that failed can be started again", async () => {
  const start = vi.spyOn(api, "startReview").mockResolvedValue(PROGRESS);
  await shown({ state: "failed", points: [], decisions: [], balance: null, open: null });
  expect(screen.getByRole("alert").textContent).toBe("The review could not be finished.");
  await fireEvent.click(button("Try again"));
  expect(start).toHaveBeenCalled();
});

test("the reader's own seat is the first choice", async () => {
  await shown();
  const names = screen.getAllByRole("option").map((option) => option.textContent?.trim());
  expect(names).toEqual([expect.stringMatching(/Ben\s+\(you\)/), "Anna"]);
  await fireEvent.change(screen.getByLabelText("Player"), { target: { value: "1" } });
  expect(handlers.onreview).toHaveBeenCalledWith(1);
});

test("a mark of the graph leads to its turn", async () => {
  const { replay } = await shown();
  await fireEvent.click(button("Move 3, Mistake: 7 points lost"));
  expect(replay.turn).toBe(3);
  expect(button("Move 3, Mistake: 7 points lost").getAttribute("aria-current")).toBe("true");
});

test("a tap on the graph leads to the nearest turn", async () => {
  const { replay } = await shown();
  const graph = screen.getByRole("img", { name: "Chances to win" });
  const tap = new MouseEvent("click", { bubbles: true });
  Object.defineProperty(tap, "offsetX", { value: 300 });
  await fireEvent(graph, tap);
  expect(replay.turn).toBe(5);
});

test("the decision of the turn, with its alternatives and the reason", async () => {
  await shown();
  const decision = section(/Blunder: 15 points lost/);
  const bars = decision.getAllByRole("listitem").map((item) => item.textContent);
  expect(bars[0]).toMatch(/card R9.*61% ± 3/s);
  expect(bars[0]).not.toContain("lost");
  expect(bars[1]).toMatch(/card B2.*60% ± 3.*1 point lost/s);
  expect(bars[2]).toMatch(/card R7.*46% ± 4.*played.*15 points lost/s);
  expect(decision.getByText(/could come from the supply/)).toBeTruthy();
  expect(decision.getByRole("button", { name: /A7/ })).toBeTruthy();
});

test("where good play is mixed, it says how often it makes each choice", async () => {
  const { replay } = await shown();
  replay.to(2);
  await tick();
  const bars = section(/Best/).getAllByRole("listitem");
  expect(bars[1]?.textContent).toContain("Good play chooses this 30% of the time");
});

test("from one mistake to the next", async () => {
  const { replay } = await shown();
  expect(button("Previous mistake")).toHaveProperty("disabled", true);
  await fireEvent.click(button("Next mistake"));
  expect(replay.turn).toBe(3);
  expect(button("Next mistake")).toHaveProperty("disabled", true);
  await fireEvent.click(button("Previous mistake"));
  expect(replay.turn).toBe(0);
  replay.to(4);
  await tick();
  expect(screen.getByText("There was nothing to decide at this move.")).toBeTruthy();
});

test("the graph is also a table, with all cards open if there is that", async () => {
  await shown();
  const details = screen.getByText("As a table").closest("details") as HTMLDetailsElement;
  details.open = true;
  await fireEvent(details, new Event("toggle"));
  const rows = within(details).getAllByRole("row");
  expect(rows).toHaveLength(1 + PROGRESS.points.length);
  expect(rows[4]?.textContent).toMatch(/Move 3.*Mistake.*25% ± 3.*75% ± 3.*10% ± 3/s);
});

test("skill and luck", async () => {
  await shown();
  const rows = within(screen.getByRole("table", { name: "Skill and luck" })).getAllByRole("row");
  expect(rows.map((row) => row.lastElementChild?.textContent?.trim().split(/\s/)[0])).toEqual([
    "50.0",
    "+5.0",
    "−35.0",
    "+2.0",
    "−22.0",
    "0.0",
  ]);
});

test("who made no mistakes is told so", async () => {
  await shown({ decisions: PROGRESS.decisions.slice(1, 2) });
  expect(screen.getByText("No choice lost anything that could be measured.")).toBeTruthy();
});

test("learning: choose once more, then see what is best", async () => {
  const { replay, learn } = await shown();
  replay.to(5);
  await learn();
  expect(replay.turn).toBe(0);
  expect(screen.getByRole("heading").textContent).toContain("1 of 2: what would you play?");
  expect(document.activeElement).toBe(screen.getByRole("heading"));
  expect(screen.queryByRole("img", { name: "Chances to win" })).toBeNull();
  expect(screen.queryByText(/61%/)).toBeNull();
  const offered = screen.getAllByRole("listitem").map((item) => item.textContent?.trim());
  expect(offered).toEqual(["card B2 card B2", "card R7 card R7", "card R9 card R9"]);
  await fireEvent.click(button("card B2"));
  expect(screen.getByText("That is as good, as far as can be measured.")).toBeTruthy();
  expect(screen.getByText(/61%/)).toBeTruthy();
  await fireEvent.click(button("Next"));
  expect(replay.turn).toBe(3);
  await fireEvent.click(button("card B1"));
  expect(screen.getByText("Yes, that is the best choice.")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Next" })).toBeNull();
  await fireEvent.click(button("Back to the review"));
  expect(handlers.onlearn).toHaveBeenCalledWith(false);
});

test("learning: a choice that loses again", async () => {
  await shown({}, true);
  await fireEvent.click(button("card R7"));
  expect(screen.getByText("Not the best: 15 points lost.")).toBeTruthy();
});

test("all hands are those of the other seats in this turn", async () => {
  const { replay } = await shown();
  await replay.showHands(true);
  replay.to(4);
  expect(replay.hands).toEqual([{ seat: 1, cards: ["14"] }]);
  await replay.seenBy(null);
  expect(replay.hands.map(({ cards }) => cards)).toEqual([["04"], ["14"]]);
  await replay.showHands(false);
  expect(replay.hands).toEqual([]);
});
