import { expect, test } from "vitest";
import type { GameFacts } from "./protocol";
import { NewTableForm } from "./newTableForm.svelte";

const PRINTED = { most: null, variant: false };
const DEALER = { name: "first_dealer", default: 0, allowed: [0, 1, 2, 3], ...PRINTED };
const TORNEI: GameFacts = {
  name: "tornei",
  title: "Tornei",
  credits: "",
  rules: 1,
  players: [3, 4],
  seats: 4,
  tracker: true,
  puzzles: true,
  known: true,
  ratings: { page: 1000, squire: 1150, knight: 1300, champion: 1450 },
  options: [{ name: "players", default: 4, allowed: [3, 4], ...PRINTED }, DEALER],
  actions: [],
};
const KINGS: GameFacts = {
  ...TORNEI,
  name: "kings_tournament",
  players: [2],
  seats: 2,
  options: [{ name: "values", default: [3, 3, 2], allowed: [], ...PRINTED }],
};

test("a table against bots is for practice and asks for a level in every other seat", () => {
  const { body } = new NewTableForm(TORNEI, "knight");
  expect(body.seats).toEqual([null, "knight", "knight", "knight"]);
  expect(body.practice).toBe(true);
  expect(body.clock).toEqual({ kind: "none", seconds: 0, increment: 0 });
});

test("one person alone may use the card tracker, friends only if the host allows it", () => {
  expect(new NewTableForm(TORNEI, "knight").body.tracker).toBe(true);
  const friends = new NewTableForm(TORNEI, null);
  expect(friends.body.tracker).toBe(false);
  friends.tracker = true;
  expect(friends.body.tracker).toBe(true);
});

test("with fewer players there are fewer seats, and only those can deal first", () => {
  const form = new NewTableForm(TORNEI, null);
  form.options.first_dealer = 3;
  form.players = 3;
  expect(form.allowed(DEALER)).toEqual([0, 1, 2]);
  expect(form.body.options).toEqual({ players: 3, first_dealer: 0 });
  expect(form.body.seats).toEqual([null, null, null]);
});

test("a game for a fixed number has its seats without an option", () => {
  expect(new NewTableForm(KINGS, "page").body.seats).toEqual([null, "page"]);
});

test("counts are changed in the form, not in the game's facts", () => {
  const form = new NewTableForm(KINGS, null);
  (form.options.values as number[])[0] = 9;
  expect(form.body.options).toEqual({ values: [9, 3, 2] });
  expect(KINGS.options[0]?.default).toEqual([3, 3, 2]);
});

test("clocks are told in seconds", () => {
  const form = new NewTableForm(KINGS, null);
  form.clock = "bank";
  form.minutes = 5;
  form.increment = 3;
  expect(form.body.clock).toEqual({ kind: "bank", seconds: 300, increment: 3 });
  form.clock = "move";
  form.seconds = 45;
  expect(form.body.clock).toEqual({ kind: "move", seconds: 45, increment: 0 });
});
