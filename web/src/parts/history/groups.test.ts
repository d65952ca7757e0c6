import { beforeAll, expect, test } from "vitest";
import { setLanguage } from "../../messages.svelte";
import type { Told } from "../../protocol";
import { endOf, grouped, groupName, type Group, type Note } from "./groups";

/** What each event ends, and where its story begins. */
function historyOf(...ends: readonly (readonly [ends: string, story?: number])[]): Told[] {
  return ends.map(([end, story], index) => {
    const told = { event: "played", clause: "", values: {}, ends: end };
    return { ...told, index, story: story ?? index };
  });
}
const NOBODY = { names: [], reader: null };
const note = (id: number, after: number): Note => ({
  id,
  after,
  event: "left",
  values: {},
  people: NOBODY,
});

/** Each group as its name and the numbers of its events. */
function shape(groups: readonly Group[], game = "tornei") {
  return groups.map((group) => [
    groupName(game, group),
    ...group.entries.map((entry) => ("index" in entry ? entry.index : `note ${entry.id}`)),
  ]);
}

beforeAll(() => setLanguage("en"));

test("each trick is a group, the oldest event first; what is not over comes last", () => {
  const history = historyOf([""], [""], ["trick", 0], [""], ["trick", 3], [""]);
  expect(shape(grouped(history))).toEqual([
    ["Trick 1", 0, 1, 2],
    ["Trick 2", 3, 4],
    ["Now", 5],
  ]);
  expect(grouped([])).toEqual([]);
});

test("a round is a group of its own with everybody's points, and its tricks are counted anew", () => {
  const round = [["trick", 0], [""], ["trick", 1], ["round", 0], ["round", 0]] as const;
  const history = historyOf(...round, [""], ["trick", 5], ["round", 5], ["match", 0]);
  expect(shape(grouped(history))).toEqual([
    ["Trick 1", 0],
    ["Trick 2", 1, 2],
    ["Round 1", 3, 4],
    ["Trick 1", 5, 6],
    ["Round 2", 7],
    ["End of the match", 8],
  ]);
});

test("the words are those of the game", () => {
  const history = historyOf([""], ["joust", 0], [""], ["turn", 2], [""], ["turn", 4], ["game", 0]);
  expect(shape(grouped(history), "kings_tournament").map(([name]) => name)).toEqual([
    "Joust",
    "Turn 1",
    "Turn 2",
    "Game 1",
  ]);
});

test("a bid is part of the first trick's story, and the rounds go on being counted", () => {
  const round = (from: number) =>
    [["bid", from], ["trick", from], [""], ["trick", from + 2], ["round", from]] as const;
  const names = shape(grouped(historyOf(...round(0), ...round(5))), "triatri");
  expect(names.map(([name]) => name)).toEqual([
    ...["Bids", "Trick 1", "Trick 2", "Round 1"],
    ...["Bids", "Trick 1", "Trick 2", "Round 2"],
  ]);
});

test("what happened at the table is told between the events of the match", () => {
  const history = historyOf([""], ["trick", 0], [""]);
  expect(shape(grouped(history, [note(1, 1), note(2, 2), note(3, 3)]))).toEqual([
    ["Trick 1", 0, "note 1", 1],
    ["Now", "note 2", 2, "note 3"],
  ]);
  expect(shape(grouped([], [note(1, 0)]))).toEqual([["Now", "note 1"]]);
});

test("one event sums up a trick; the points of several players do not", () => {
  const [trick, round] = grouped(historyOf([""], ["trick", 0], ["round", 0], ["round", 0]));
  expect(endOf(trick as Group)?.index).toBe(1);
  expect(endOf(round as Group)).toBeNull();
});
