import { expect, test } from "vitest";
import type { GameFacts } from "./protocol";
import { Wish } from "./wish.svelte";

const DEALER = { name: "first_dealer", default: 0, allowed: [0, 1, 2, 3] };
const TORNEI: GameFacts = {
  name: "tornei",
  title: "Tornei",
  credits: "",
  rules: 1,
  players: [3, 4],
  seats: 4,
  options: [{ name: "players", default: 4, allowed: [3, 4] }, DEALER],
  actions: [],
};
const KINGS: GameFacts = {
  ...TORNEI,
  name: "kings_tournament",
  players: [2],
  seats: 2,
  options: [{ name: "values", default: [3, 3, 2], allowed: [] }],
};

test("a table against bots is for practice and asks for a level in every other seat", () => {
  const { body } = new Wish(TORNEI, "knight");
  expect(body.seats).toEqual([null, "knight", "knight", "knight"]);
  expect(body.practice).toBe(true);
  expect(body.clock).toEqual({ kind: "none", seconds: 0, increment: 0 });
});

test("with fewer players there are fewer seats, and only those can deal first", () => {
  const wish = new Wish(TORNEI, null);
  wish.options.first_dealer = 3;
  wish.players = 3;
  expect(wish.allowed(DEALER)).toEqual([0, 1, 2]);
  expect(wish.body.options).toEqual({ players: 3, first_dealer: 0 });
  expect(wish.body.seats).toEqual([null, null, null]);
});

test("a game for a fixed number has its seats without an option", () => {
  expect(new Wish(KINGS, "page").body.seats).toEqual([null, "page"]);
});

test("counts are changed in the wish, not in the game's facts", () => {
  const wish = new Wish(KINGS, null);
  (wish.options.values as number[])[0] = 9;
  expect(wish.body.options).toEqual({ values: [9, 3, 2] });
  expect(KINGS.options[0]?.default).toEqual([3, 3, 2]);
});

test("clocks are told in seconds", () => {
  const wish = new Wish(KINGS, null);
  wish.clock = "bank";
  wish.minutes = 5;
  wish.increment = 3;
  expect(wish.body.clock).toEqual({ kind: "bank", seconds: 300, increment: 3 });
  wish.clock = "move";
  wish.seconds = 45;
  expect(wish.body.clock).toEqual({ kind: "move", seconds: 45, increment: 0 });
});
