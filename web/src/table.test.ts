import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FakeSocket, told, update, WELCOME } from "./fakeSocket";
import { READING, type Drawing } from "./games/drawing";
import type { SeatState, Told } from "./protocol";
import { settings } from "./settings.svelte";
import { Table } from "./table.svelte";
import { setLanguage } from "./messages.svelte";

const REVEAL = 500;
const REST = REVEAL + READING;
const HOUR = 3_600_000;
const drawing = {
  reveal: (fresh: readonly Told[]) => (fresh.some(({ ends }) => ends) ? REVEAL : null),
  rounds: ["round"],
  counting: (fresh: readonly Told[], revealed: boolean) =>
    !revealed && fresh.some(({ ends }) => ends === "round") ? "Counting" : "",
} as unknown as Drawing;
const BENS_TURN = {
  legal: [],
  complete: [],
  view: { ...update(0).view, pending: [1] },
} as unknown as Partial<ReturnType<typeof update>>;
let table: Table;
let socket: FakeSocket;

beforeEach(async () => {
  await setLanguage("en");
  settings.pace = "automatic";
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", FakeSocket);
  FakeSocket.all = [];
  table = new Table("k7qm2xab", "secret");
  table.drawnBy(drawing);
  socket = FakeSocket.last;
  socket.open();
  socket.receive(WELCOME);
  socket.receive(update(1));
});
afterEach(() => {
  table.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Later updates are told apart by their scores. */
function later(version: number, more: Parameters<typeof update>[1] = {}) {
  const view = { ...update(0).view, scores: [version, version] };
  socket.receive(update(version, { view: view as never, ...more }));
}
const shown = () => table.scene?.view.scores[0];

test("the first update is shown at once", () => {
  expect(shown()).toBe(0);
  expect(table.headline).toContain("Your turn");
});

/** The same seats, with Anna's clock running. */
function running(): SeatState[] {
  const [anna, ben] = update(0).seats as [SeatState, SeatState];
  return [{ ...anna, left: 60_000, running: true }, ben];
}

test("a finished trick can be read for two seconds, then the table goes on", () => {
  later(2, { events: [told(0, "trick")] });
  expect(table.headline).toContain("Ben wins the trick");
  expect(table.waits).toBe(false);
  later(3);
  vi.advanceTimersByTime(REVEAL); // now all badges are there
  vi.advanceTimersByTime(1999);
  expect([shown(), table.scene?.resting]).toEqual([2, true]);
  vi.advanceTimersByTime(300);
  expect([shown(), table.scene?.resting]).toEqual([3, false]);
});

test("slower leaves twice the time", () => {
  settings.pace = "slower";
  later(2, { events: [told(0, "trick")] });
  vi.advanceTimersByTime(2 * READING);
  expect(table.scene?.resting).toBe(true);
  vi.advanceTimersByTime(2 * REVEAL);
  expect(table.scene?.resting).toBe(false);
});

test("at the person's pace nothing goes on before the tap, and then one result at a time", () => {
  settings.pace = "tap";
  later(2, { events: [told(0, "trick")] });
  later(3);
  later(4, { events: [told(1, "trick")] });
  later(5);
  vi.advanceTimersByTime(HOUR);
  expect([shown(), table.waits]).toEqual([2, true]);
  table.goOn();
  expect([table.waits, table.scene?.resting]).toEqual([false, false]);
  vi.advanceTimersByTime(HOUR);
  expect([shown(), table.waits]).toEqual([4, true]);
  table.goOn();
  vi.advanceTimersByTime(HOUR);
  expect([shown(), table.waits]).toEqual([5, false]);
});

test.each(["round", "match"])("the end of a %s waits for a tap at an automatic pace too", (end) => {
  later(2, { events: [told(0, "trick"), told(1, end)] });
  later(3);
  vi.advanceTimersByTime(HOUR);
  expect([shown(), table.waits]).toEqual([2, true]);
  table.goOn();
  vi.runAllTimers();
  expect([shown(), table.waits]).toEqual([3, false]);
});

test("without pauses nothing waits", () => {
  settings.pace = "instant";
  later(2, { events: [told(0, "trick"), told(1, "round")] });
  expect([table.scene?.resting, table.waits]).toEqual([false, false]);
});

test("on the person's own time nothing waits for a tap, and the headline says whose turn it is", () => {
  settings.pace = "tap";
  later(2, { events: [told(0, "trick")], seats: running() });
  later(3, { seats: running() });
  expect(table.waits).toBe(false);
  expect(table.headline).toContain("Your turn");
  vi.advanceTimersByTime(REST + 300);
  expect(shown()).toBe(3);
});

test("a wait is over as soon as the person's clock runs", () => {
  later(2, { events: [told(0, "round")], ...BENS_TURN });
  vi.advanceTimersByTime(HOUR);
  expect([shown(), table.waits]).toEqual([0, true]);
  later(3, { seats: running() });
  expect([shown(), table.waits]).toEqual([3, false]);
});

test("a choice is made at once, although the table waits", async () => {
  settings.pace = "tap";
  later(2, { events: [told(0, "trick")] });
  later(3);
  await table.choice.tap("W1");
  expect([shown(), table.waits, table.choice.lifted]).toEqual([3, false, "W1"]);
});

test("while a result is counted out, the log does not tell it; while it is read, it does", () => {
  later(2, { events: [told(0, "round")] });
  expect([table.headline, table.shownHistory.length]).toEqual(["Counting", 0]);
  vi.advanceTimersByTime(REVEAL);
  expect(table.headline).toContain("Ben wins");
  expect([table.shownHistory.length, table.waits]).toEqual([1, true]);
});

test("the log does not run ahead of a table that waits", () => {
  later(2, { events: [told(0, "trick"), told(1, "round")] });
  later(3, { events: [told(2)] });
  vi.advanceTimersByTime(HOUR);
  expect(table.shownHistory.map(({ index }) => index)).toEqual([0, 1]);
  table.goOn();
  vi.runAllTimers();
  expect(table.shownHistory).toHaveLength(3);
});

test("the only card is never played by itself: that would tell what the hand is", () => {
  later(2, { legal: ["W1"], complete: ["W1"] });
  vi.advanceTimersByTime(HOUR);
  expect(table.choice.open).toBe(true);
  expect(socket.sent.filter(({ type }) => type === "play")).toEqual([]);
});

test("the player is addressed, a spectator reads the name", () => {
  const won = { ...told(0, "trick"), values: { seat: 0, card: "W9" } };
  later(2, { events: [won] });
  expect(table.headline).toContain("You win the trick");
  socket.receive({ ...WELCOME, seat: null });
  expect(table.headline).toContain("Anna wins the trick");
});

test("a rest can be skipped", () => {
  later(2, { events: [told(0, "trick")] });
  later(3);
  table.skip();
  expect(shown()).toBe(3);
  expect(table.scene?.resting).toBe(false);
});

test("when more than three wait, the newest is shown", () => {
  later(2, { events: [told(0, "trick")] });
  for (const version of [3, 4, 5, 6]) later(version, { events: [told(version - 2, "trick")] });
  expect(shown()).toBe(2);
  vi.advanceTimersByTime(REST + 300);
  expect(shown()).toBe(6);
});

test("cards played before the next result are left out when many wait", () => {
  later(2, { events: [told(0, "trick")] });
  for (const version of [3, 4, 5, 6, 8]) later(version);
  later(7, { events: [told(1, "trick")] });
  vi.advanceTimersByTime(REST + 300);
  expect([shown(), table.scene?.resting]).toEqual([7, true]);
});

test("up to three are shown one after another", () => {
  later(2, { events: [told(0, "trick")] });
  for (const version of [3, 4, 5]) later(version, { events: [told(version - 2, "trick")] });
  vi.advanceTimersByTime(REST + 300);
  expect(shown()).toBe(3);
});

test("a play is unconfirmed until the table shows it", async () => {
  await table.choice.take("W1");
  const play = socket.sent.at(-1) as { type: string; id: string; version: number };
  expect(play).toMatchObject({ type: "play", version: 1, actions: ["W1"] });
  expect(table.choice.sent).toEqual(["W1"]);
  expect(table.headline).toBe("Your move is on its way.");
  socket.receive({ type: "done", id: play.id, version: 2 });
  expect(table.choice.sent).toEqual(["W1"]);
  socket.receive(update(2, BENS_TURN));
  expect(table.choice.sent).toBeNull();
  vi.runAllTimers();
  expect(table.headline).toBe("Waiting for Ben.");
});

test.each(["before", "after"])(
  "a committed card does not jump back while its update waits, confirmed %s it",
  async (order) => {
    later(2, { events: [told(0)] }); // a card flies, and what follows waits for it
    await table.choice.take("W1");
    const { id } = socket.sent.at(-1) as { id: string };
    const confirm = () => socket.receive({ type: "done", id, version: 3 });
    if (order === "before") confirm();
    later(3, { legal: [], complete: [] });
    if (order === "after") confirm();
    expect([shown(), table.choice.made]).toEqual([2, ["W1"]]);
    vi.advanceTimersByTime(HOUR);
    expect([shown(), table.choice.made, table.choice.sent]).toEqual([3, [], null]);
  },
);

test("what was offered while a choice was on its way is offered afterwards", async () => {
  await table.choice.take("W1");
  const { id } = socket.sent.at(-1) as { id: string };
  later(2, { legal: ["F2"], complete: ["F2"] });
  expect(table.choice.next).toEqual([]);
  socket.receive({ type: "done", id, version: 2 });
  expect(table.choice.next).toEqual(["F2"]);
});

test("a choice of several cards goes on when the line is back", async () => {
  socket.receive(update(2, { complete: [] }));
  const taken = table.choice.take("W1");
  socket.break();
  expect(table.choice.open).toBe(true);
  vi.advanceTimersByTime(60_000);
  FakeSocket.last.open();
  const [, ask] = FakeSocket.last.sent as [unknown, { id: string }];
  expect(ask).toMatchObject({ type: "ask", actions: ["W1"] });
  FakeSocket.last.receive({
    type: "answer",
    id: ask.id,
    refused: null,
    legal: ["F2"],
    whole: false,
  });
  await taken;
  expect(table.choice.made).toEqual(["W1"]);
});

test("a play made offline says that it is kept", async () => {
  socket.break();
  await table.choice.take("W1");
  expect(table.headline).toContain("saved and will be sent");
});

test("a refused play is explained, and the choice is open again", async () => {
  await table.choice.take("W1");
  const play = socket.sent.at(-1) as { id: string };
  const reason = { key: "table_paused", values: {}, clause: "" };
  socket.receive({ type: "refused", id: play.id, reason, version: 1 });
  expect(table.trouble).toEqual(reason);
  expect(table.choice.open).toBe(true);
});

test("what happened is remembered once, and forgotten with the next match", () => {
  later(2, { events: [told(0), told(1)] });
  later(3, { events: [told(1), told(2)] }); // the line broke in between
  expect(table.history.map((one) => one.index)).toEqual([0, 1, 2]);
  later(4, { match: 2 });
  expect(table.history).toEqual([]);
});

test("bots are called by their level", () => {
  const { seats } = update(1);
  const bots = seats.map((seat) => ({ ...seat, kind: "bot" as const, name: "", level: "knight" }));
  later(2, { seats: [...seats.slice(0, 1), ...bots.slice(1)] });
  expect(table.names.slice(0, 2)).toEqual(["Anna", "Knight 2"]);
});

const HINTS = {
  type: "hints",
  groups: [{ choices: [["W9"]], win: 0.5, behind: 0, shares: null }],
  reason: null,
} as const;
const askedId = () => (socket.sent.at(-1) as { id: string }).id;

test("hints appear when the server has thought", async () => {
  const asking = table.hint();
  expect(table.hints).toBe("thinking");
  socket.receive({ ...HINTS, id: askedId() });
  await asking;
  expect(table.hints).toMatchObject(HINTS);
});

test("hints that were closed while the server thought do not appear", async () => {
  const asking = table.hint();
  table.hints = null;
  socket.receive({ ...HINTS, id: askedId() });
  await asking;
  expect(table.hints).toBeNull();
});

test("of two questions the newer is answered", async () => {
  void table.hint();
  const first = askedId();
  table.hints = null;
  const asking = table.hint();
  const stale = { key: "stale", values: {}, clause: "" };
  socket.receive({ type: "refused", id: first, reason: stale, version: 1 });
  expect(table.hints).toBe("thinking");
  socket.receive({ ...HINTS, id: askedId() });
  await asking;
  expect(table.hints).toMatchObject(HINTS);
});

test("a refused hint leaves nothing open", () => {
  void table.hint();
  const reason = { key: "too_many_hints", values: {}, clause: "" };
  socket.receive({ type: "refused", id: askedId(), reason, version: 1 });
  expect(table.hints).toBeNull();
  expect(table.trouble?.key).toBe("too_many_hints");
});
