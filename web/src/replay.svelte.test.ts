import { afterEach, beforeEach, expect, test, vi } from "vitest";
import * as api from "./api";
import type { Step, Told } from "./protocol";
import { Replay } from "./replay.svelte";
import { settings } from "./settings.svelte";
import { setLanguage } from "./messages.svelte";

vi.mock("./games", async (original) => ({
  ...(await original()),
  drawingOf: () => Promise.resolve({ reveal: (fresh: Told[]) => (fresh.some(ends) ? 200 : null) }),
}));
const ends = (told: Told) => told.ends !== "";

/** Eight turns: the deal, then plays; every third decides something, the sixth is hidden. */
function stepsFor(viewer: number | null): Step[] {
  let index = 0;
  return Array.from({ length: 8 }, (_, turn) => {
    const told = (event: string, ended = ""): Told => ({
      event,
      clause: "",
      values: { seat: turn % 2 },
      ends: ended,
      index: index++,
      story: Math.max(0, index - 2),
    });
    const events =
      turn === 6 && viewer !== 0
        ? []
        : turn % 3 === 2
          ? [told("played"), told("won", "trick")]
          : [told("played")];
    return { view: { viewer, pending: [], scores: [] }, events } as unknown as Step;
  });
}

const RECORD = { game: "triatri", options: {}, events: [], names: ["Ada", "squire"] };

async function opened(seat: number | null = null, turn = 0): Promise<Replay> {
  return Replay.open({ code: "k7qm2x", match: 1, token: undefined }, seat, turn);
}

beforeEach(async () => {
  vi.useFakeTimers();
  vi.spyOn(api, "record").mockResolvedValue(RECORD);
  vi.spyOn(api, "replay").mockImplementation((_code, _match, seat) =>
    Promise.resolve(stepsFor(seat)),
  );
  settings.pace = "automatic";
  await setLanguage("en");
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test("a link opens its turn; one that points too far opens the last", async () => {
  expect((await opened(null, 3)).turn).toBe(3);
  expect((await opened(null, 99)).turn).toBe(7);
  expect((await opened(null, -1)).turn).toBe(0);
  expect((await opened(null, NaN)).turn).toBe(0);
});

test("the next thing decided, and the one before", async () => {
  const replay = await opened();
  replay.toEnd(1);
  expect(replay.turn).toBe(2);
  replay.toEnd(1);
  expect(replay.turn).toBe(5);
  replay.toEnd(1);
  expect(replay.turn).toBe(7); // nothing more is decided: the end
  replay.toEnd(-1);
  expect(replay.turn).toBe(5);
  replay.to(1);
  replay.toEnd(-1);
  expect(replay.turn).toBe(0);
});

test("an event of the log leads to its turn, and the replay stops there", async () => {
  const replay = await opened(null, 5);
  replay.play();
  const [, , played, won] = replay.history as [Told, Told, Told, Told];
  replay.toEvent(played);
  expect([replay.turn, replay.playing]).toEqual([2, false]);
  replay.to(0);
  replay.toEvent(won);
  expect(replay.turn).toBe(2);
});

test("other eyes keep the turn, and each are asked for once", async () => {
  const replay = await opened(null, 6);
  expect(replay.fresh).toHaveLength(0);
  await replay.seenBy(0);
  expect(replay.turn).toBe(6);
  expect(replay.scene?.view.viewer).toBe(0);
  expect(replay.fresh).toHaveLength(1);
  expect(replay.query).toEqual({ seat: 0, turn: 6 });
  await replay.seenBy(null);
  expect(replay.query).toEqual({ turn: 6 });
  expect(api.replay).toHaveBeenCalledTimes(2);
});

test("eyes that are chosen last win, whoever answers first", async () => {
  const replay = await opened();
  let answer: (steps: Step[]) => void = () => {};
  vi.mocked(api.replay).mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
  const slow = replay.seenBy(0);
  await replay.seenBy(1);
  answer(stepsFor(0));
  await slow;
  expect(replay.scene?.view.viewer).toBe(1);
});

test("eyes that could not be had are asked for again", async () => {
  const replay = await opened();
  vi.mocked(api.replay).mockRejectedValueOnce(new Error("away"));
  await expect(replay.seenBy(1)).rejects.toThrow("away");
  await replay.seenBy(1);
  expect(replay.scene?.view.viewer).toBe(1);
});

test("the table rests on what was decided, and its story is told", async () => {
  const replay = await opened(null, 2);
  expect(replay.scene?.resting).toBe(true);
  expect(replay.decided?.event).toBe("won");
  expect(replay.story.map((told) => told.event)).toEqual(["played", "won"]);
  replay.to(3);
  expect(replay.scene?.resting).toBe(false);
  expect(replay.decided).toBeUndefined();
});

test("everyone is called by name, also in the view of a seat", async () => {
  expect((await opened(0)).scene?.reader).toBeNull();
});

test("a bot is called by its level", async () => {
  expect((await opened()).names).toEqual(["Ada", "Squire 2"]);
});

test("who plays along without a seat has a name, and no eyes", async () => {
  vi.mocked(api.record).mockResolvedValue({ ...RECORD, game: "tornei" });
  const replay = await opened();
  expect(replay.names).toEqual(["Ada", "Squire 2", "Dummy"]);
  expect(replay.seats).toHaveLength(2);
});

test("it plays by itself to the end, and from there from the beginning", async () => {
  const replay = await opened();
  replay.play();
  vi.advanceTimersByTime(1000);
  expect(replay.turn).toBe(1);
  vi.advanceTimersByTime(1000 + 1000); // what was decided is shown longer
  expect(replay.turn).toBe(2);
  vi.advanceTimersByTime(1200);
  expect(replay.turn).toBe(3);
  vi.advanceTimersByTime(60_000);
  expect(replay.turn).toBe(7);
  expect(replay.playing).toBe(false);
  replay.play();
  expect(replay.turn).toBe(0);
  replay.pause();
  vi.advanceTimersByTime(60_000);
  expect(replay.turn).toBe(0);
});

test("it plays as fast as is set, but never faster than can be followed", async () => {
  const replay = await opened();
  settings.pace = "instant";
  replay.play();
  vi.advanceTimersByTime(100);
  expect(replay.turn).toBe(0);
  vi.advanceTimersByTime(100);
  expect(replay.turn).toBe(1);
});
