import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Balance, Decision, Point, ReviewProgress } from "./protocol";
import type { MatchRecord } from "./record";
import { partsOf, Review, Steps, type Reviewer } from "./review.svelte";

const POINTS = [0, 1, 4].map((step): Point => ({ step, chances: [[0.5, 0.1]] }));
const DECISIONS = (["best", "mistake", "good", "blunder"] as const).map(
  (label, step): Decision => ({
    step,
    label,
    played: 0,
    alternatives: [],
    offered: [0, 0],
    reasons: [],
  }),
);

/** A server that has made so many points and decisions; the review is done with the last. */
function making() {
  const made = { points: 0, decisions: 0, started: false };
  const answer = (points: number, decisions: number): Promise<ReviewProgress> => {
    const whole = made.points === POINTS.length && made.decisions === DECISIONS.length;
    return Promise.resolve({
      state: !made.started ? "none" : whole ? "done" : "running",
      done: made.points + made.decisions,
      total: POINTS.length + DECISIONS.length,
      points: POINTS.slice(points, made.points),
      decisions: DECISIONS.slice(decisions, made.decisions),
      balance: null,
      open: whole ? POINTS : null,
    });
  };
  const reviewer = {
    start: vi.fn(() => {
      made.started = true;
      return answer(0, 0);
    }),
    look: vi.fn(answer),
  } satisfies Reviewer;
  return { made, reviewer, review: new Review(0, reviewer) };
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe("a review that is being made", () => {
  test("nothing is started before somebody asks for it", async () => {
    const { review, reviewer } = making();
    await review.follow();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(review.state).toBe("none");
    expect(reviewer.look).toHaveBeenCalledTimes(1);
    expect(reviewer.start).not.toHaveBeenCalled();
  });

  test("it asks for what it does not have yet, until all is there", async () => {
    const { made, review, reviewer } = making();
    await review.start();
    Object.assign(made, { points: 2, decisions: 1 });
    await vi.advanceTimersByTimeAsync(2000);
    expect(review.points).toEqual(POINTS.slice(0, 2));
    Object.assign(made, { points: 3, decisions: 4 });
    await vi.advanceTimersByTimeAsync(2000);
    expect(reviewer.look).toHaveBeenLastCalledWith(2, 1);
    expect(review.state).toBe("done");
    expect(review.points).toEqual(POINTS);
    expect(review.decisions).toEqual(DECISIONS);
    expect(review.marked.map(({ label }) => label)).toEqual(["mistake", "blunder"]);
    expect(review.open).toEqual(POINTS);
    const asked = reviewer.look.mock.calls.length;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(reviewer.look).toHaveBeenCalledTimes(asked);
  });

  test("it asks less often while nothing is new", async () => {
    const { review, reviewer } = making();
    await review.start();
    await vi.advanceTimersByTimeAsync(10_000);
    const first = reviewer.look.mock.calls.length;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(first).toBeLessThan(6);
    expect(reviewer.look.mock.calls.length - first).toBeLessThan(first);
  });

  test("it does not ask while nobody looks, and continues afterwards", async () => {
    const { made, review, reviewer } = making();
    await review.start();
    review.rest();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(reviewer.look).not.toHaveBeenCalled();
    made.points = 1;
    await review.follow();
    expect(review.points).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1000);
    expect(reviewer.look).toHaveBeenCalledTimes(2);
  });

  test("an answer that arrives after somebody left asks for nothing more", async () => {
    const { review, reviewer } = making();
    const started = review.start();
    review.rest();
    await started;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(reviewer.look).not.toHaveBeenCalled();
  });

  test("whoever looks twice gets everything once", async () => {
    const { made, review } = making();
    await review.start();
    made.points = 2;
    await Promise.all([review.follow(), review.follow()]);
    expect(review.points).toEqual(POINTS.slice(0, 2));
  });

  test("a problem is shown, and the next look may be better", async () => {
    const { made, review, reviewer } = making();
    await review.start();
    reviewer.look.mockRejectedValueOnce(new Error("away"));
    await review.follow();
    expect(review.problem).toBeInstanceOf(Error);
    made.points = 3;
    await review.follow();
    expect(review.problem).toBeNull();
    expect(review.points).toEqual(POINTS);
  });
});

test("steps count all events, turns only plays", () => {
  const events = ["deal", "play", "play", "deal", "play"].map((kind) => [kind] as const);
  const steps = new Steps({ events } as unknown as MatchRecord);
  expect([0, 1, 2, 3, 4, 5].map((step) => steps.turnOf(step))).toEqual([0, 0, 1, 2, 2, 3]);
  expect([0, 1, 2, 3].map((turn) => steps.at(turn))).toEqual([1, 2, 4, 5]);
  expect(steps.last).toBe(5);
});

test.each([
  [0.3334, 0.1234, -0.2468, 0.0567, 0.2667, 0],
  [0.5001, -0.0444, 0.3333, 0.2554, 0.0444, 1],
  [0.2499, 0.1001, 0.1666, 0.0333, 0.0499, 0.5],
])("skill and luck add up as they are shown", (start, deal, others, offered, lost, outcome) => {
  const estimates = { start, deal, others, offered, given_away: lost };
  const balance = {
    ...Object.fromEntries(Object.entries(estimates).map(([name, value]) => [name, [value, 0.01]])),
    outcome,
  } as unknown as Balance;
  const shown = partsOf(balance).map(({ points }) => points.toFixed(1));
  const tenths = shown.map((points) => Math.round(10 * Number(points)));
  expect(tenths.reduce((sum, points) => sum + points)).toBe(Math.round(1000 * outcome));
  for (const [place, value] of [start, deal, others, offered, -lost].entries())
    expect(Math.abs((tenths[place] ?? 0) - 1000 * value)).toBeLessThan(1);
});
