import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { leftNow, startClocks, formatTime } from "./clocks";
import type { SeatState } from "./protocol";

const SEAT: SeatState = {
  kind: "person",
  name: "Anna",
  level: null,
  here: true,
  host: true,
  stand_in: false,
  left: 5000,
  running: true,
  takeover: null,
  offered: false,
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a running clock counts down from when the server's word came, never below nothing", () => {
  const seat = { ...SEAT };
  startClocks([seat]);
  vi.advanceTimersByTime(2000);
  expect(leftNow(seat)).toBe(3000);
  vi.advanceTimersByTime(9000);
  expect(leftNow(seat)).toBe(0);
});

test("a clock that stands, and none at all", () => {
  const standing = { ...SEAT, running: false };
  startClocks([standing]);
  vi.advanceTimersByTime(2000);
  expect(leftNow(standing)).toBe(5000);
  expect(leftNow({ ...SEAT, left: null })).toBeNull();
});

test.each([
  [0, "0:00"],
  [1, "0:01"],
  [65_000, "1:05"],
  [7_200_000, "2:00:00"],
])("%i ms are written %s", (milliseconds, text) => {
  expect(formatTime(milliseconds)).toBe(text);
});
