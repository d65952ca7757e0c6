import { beforeEach, expect, test } from "vitest";
import { removeSeat, saveSeat, saveSeed, seatAt } from "./storage";

const SEAT = { code: "k7qm2x", game: "tornei", token: "mine", seat: 1, used: 1 };
const FIRST = { seed: "ab", commitment: "cd" };
const SECOND = { seed: "01", commitment: "23" };

beforeEach(() => localStorage.clear());

test("seeds are kept match by match, as long as the seat is the same", () => {
  saveSeat(SEAT);
  saveSeed(SEAT.code, 1, FIRST);
  saveSeed(SEAT.code, 2, SECOND);
  saveSeat({ ...SEAT, used: 2 });
  expect(seatAt(SEAT.code)).toEqual({ ...SEAT, used: 2, seeds: { 1: FIRST, 2: SECOND } });
  saveSeat({ ...SEAT, token: "another" });
  expect(seatAt(SEAT.code)?.seeds).toBeUndefined();
});

test("without a seat there is nothing to keep a seed for", () => {
  saveSeed(SEAT.code, 1, FIRST);
  expect(seatAt(SEAT.code)).toBeUndefined();
  saveSeat(SEAT);
  removeSeat(SEAT.code);
  expect(seatAt(SEAT.code)).toBeUndefined();
});
