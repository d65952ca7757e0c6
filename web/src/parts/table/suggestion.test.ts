import { beforeAll, beforeEach, expect, test } from "vitest";
import { setLanguage } from "../../messages.svelte";
import type { SeatState } from "../../protocol";
import { saveLessonDone } from "../../storage";
import { suggestionAfter } from "./suggestion";

const seats = (...levels: (string | null)[]) => levels.map((level) => ({ level }) as SeatState);
const after = (match: string, ...levels: (string | null)[]) =>
  suggestionAfter(match, "tornei", seats(null, ...levels));

beforeAll(() => setLanguage("en"));
beforeEach(() => localStorage.clear());

test("the first match leads to the lesson, even if its result is looked at again", () => {
  expect(after("k7qm2x/1", "squire")?.href).toBe("/learn/tornei");
  expect(after("k7qm2x/1", "squire")?.href).toBe("/learn/tornei");
  expect(after("k7qm2x/2", "squire")).toBeNull();
  expect(suggestionAfter("k7qm2x/3", "triatri", seats())?.href).toBe("/learn/triatri");
});

test("who has done the lesson meets bots stronger than the strongest of this match", () => {
  saveLessonDone("tornei");
  const harder = { href: "/play/tornei?level=knight", text: "Try against knights" };
  expect(after("k7qm2x/1", "page", "squire", "page")).toEqual(harder);
});

test("after champions, or without bots, nothing is suggested", () => {
  saveLessonDone("tornei");
  expect(after("k7qm2x/1", "champion")).toBeNull();
  expect(after("k7qm2x/1", null)).toBeNull();
});
