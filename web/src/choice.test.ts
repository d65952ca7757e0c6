import { beforeEach, expect, test, vi } from "vitest";
import { Choice } from "./choice.svelte";
import type { Answer } from "./protocol";

/** A server at which A and B are whole choices, and C wants D after it. */
function answer(actions: readonly string[]): Answer {
  const text = actions.join();
  const whole = ["A", "B", "C,D"].includes(text);
  const legal = text === "C" ? ["D"] : [];
  const refused =
    whole || text === "C" ? null : { key: "tornei_must_follow", values: {}, clause: "T9" };
  return { type: "answer", id: "1", refused, legal, whole };
}

const ask = vi.fn((actions: readonly string[]) => Promise.resolve(answer(actions)));
const play = vi.fn();
const explain = vi.fn();
const skip = vi.fn();
let choice: Choice;

beforeEach(() => {
  vi.clearAllMocks();
  choice = new Choice({ ask, play, explain, skip });
  choice.offer(["A", "B", "C"], ["A"]);
});

test("a tap raises a card, a second one plays it", async () => {
  await choice.tap("A");
  expect(choice.lifted).toBe("A");
  expect(play).not.toHaveBeenCalled();
  await choice.tap("A");
  expect(play).toHaveBeenCalledExactlyOnceWith(["A"]);
  expect(choice.open).toBe(false);
});

test("only what does not complete a choice is asked about", async () => {
  await choice.tap("A");
  await choice.tap("A");
  expect(ask).not.toHaveBeenCalled();
  choice.finish();
  await choice.take("B");
  expect(ask).toHaveBeenCalledExactlyOnceWith(["B"]);
  expect(play).toHaveBeenLastCalledWith(["B"]);
});

test("a tap on another card raises that one", async () => {
  await choice.tap("A");
  await choice.tap("B");
  expect(choice.lifted).toBe("B");
});

test("a card that may not be played is explained", async () => {
  await choice.tap("E");
  expect(explain).toHaveBeenCalledWith("E", expect.objectContaining({ clause: "T9" }));
  expect(choice.lifted).toBeNull();
});

test("a choice of several stays here until it is whole and committed", async () => {
  await choice.take("C");
  expect(choice.next).toEqual(["D"]);
  choice.commit();
  expect(play).not.toHaveBeenCalled();
  await choice.take("D");
  expect(choice.whole).toBe(true);
  expect(play).not.toHaveBeenCalled();
  choice.commit();
  expect(play).toHaveBeenCalledExactlyOnceWith(["C", "D"]);
});

test("what is not committed can be taken back", async () => {
  await choice.take("C");
  choice.back();
  expect(choice.made).toEqual([]);
  expect(choice.next).toEqual(["A", "B", "C"]);
});

test("another decision begins anew, the same one goes on", async () => {
  await choice.take("C");
  choice.offer(["A", "B", "C"], ["A"]);
  expect(choice.made).toEqual(["C"]);
  choice.offer(["A", "B"], ["A"]);
  expect(choice.made).toEqual([]);
});

test("the same cards may be whole choices in the next decision", async () => {
  await choice.take("C");
  choice.finish();
  choice.offer(["A", "B", "C"], ["A", "B", "C"]);
  await choice.take("C");
  expect(play).toHaveBeenCalledExactlyOnceWith(["C"]);
});

test("after it is settled the next choice can be made", async () => {
  await choice.take("A");
  choice.finish();
  choice.offer(["B"], []);
  expect(choice.open).toBe(true);
  expect(choice.next).toEqual(["B"]);
});

test("in a lesson another card is answered by the lesson, an illegal one by the rules", async () => {
  choice.only = ["B"];
  choice.onOther = vi.fn();
  await choice.tap("A");
  expect(choice.onOther).toHaveBeenCalledExactlyOnceWith("A");
  expect(explain).not.toHaveBeenCalled();
  await choice.tap("X");
  expect(choice.onOther).toHaveBeenCalledOnce();
  expect(explain).toHaveBeenCalledOnce();
});

test("in a lesson only what it teaches may be taken", () => {
  choice.only = ["B"];
  expect(choice.next).toEqual(["B"]);
});

test("a suggested card is raised, and the player still plays it", async () => {
  await choice.suggest(["A"]);
  expect(choice.lifted).toBe("A");
  expect(play).not.toHaveBeenCalled();
});

test("a suggested choice of several is put together, and the player still commits it", async () => {
  await choice.suggest(["C", "D"]);
  expect(choice.made).toEqual(["C", "D"]);
  expect(choice.whole).toBe(true);
  expect(play).not.toHaveBeenCalled();
  choice.commit();
  expect(play).toHaveBeenCalledExactlyOnceWith(["C", "D"]);
});

test("a suggestion completes what was begun", async () => {
  await choice.take("C");
  await choice.suggest(["D"]);
  expect(choice.made).toEqual(["C", "D"]);
  expect(play).not.toHaveBeenCalled();
});
