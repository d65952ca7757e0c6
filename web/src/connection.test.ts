import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Connection } from "./connection";
import { FakeSocket, update, WELCOME } from "./fakeSocket";
import type { ClientFrame } from "./protocol";

const PLAY: ClientFrame = { type: "play", id: "a-1", version: 3, actions: ["W1"] };
const LONG = 60_000;
const listener = { onFrame: vi.fn(), onConnection: vi.fn() };
let connection: Connection;

beforeEach(() => {
  vi.useFakeTimers();
  vi.clearAllMocks();
  vi.stubGlobal("WebSocket", FakeSocket);
  FakeSocket.all = [];
  connection = new Connection("k7qm2xab", "secret", listener);
});
afterEach(() => {
  connection.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function welcomed(): FakeSocket {
  const socket = FakeSocket.last;
  socket.open();
  socket.receive(WELCOME);
  return socket;
}

/** The line breaks and is opened again. */
function again(code?: number): FakeSocket {
  FakeSocket.last.break(code);
  vi.advanceTimersByTime(LONG);
  const socket = FakeSocket.last;
  socket.open();
  return socket;
}

test("it says hello with the token and asks for the whole match", () => {
  const socket = welcomed();
  expect(socket.url).toMatch(/\/api\/tables\/k7qm2xab\/socket$/);
  expect(socket.sent).toEqual([{ type: "hello", token: "secret", since: 0 }]);
  expect(listener.onConnection).toHaveBeenLastCalledWith(true, null);
});

test("a broken line is opened again and asks for what was missed", () => {
  welcomed().receive(update(7));
  const socket = again();
  expect(listener.onConnection).toHaveBeenLastCalledWith(false, null);
  expect(socket.sent).toEqual([{ type: "hello", token: "secret", since: 7 }]);
});

test("a play without an answer is sent again under its id, an answered one is not", () => {
  welcomed();
  connection.send(PLAY);
  const socket = again();
  expect(socket.sent[1]).toEqual(PLAY);
  socket.receive(WELCOME);
  socket.receive({ type: "done", id: "a-1", version: 4 });
  expect(again().sent).toHaveLength(1);
});

test("a refused play is not sent again", () => {
  const socket = welcomed();
  connection.send(PLAY);
  const reason = { key: "stale", values: {}, clause: "" };
  socket.receive({ type: "refused", id: "a-1", reason, version: 4 });
  expect(again().sent).toHaveLength(1);
});

test("a play made while the line is down goes out when it is back", () => {
  welcomed().break();
  connection.send(PLAY);
  vi.advanceTimersByTime(LONG);
  FakeSocket.last.open();
  expect(FakeSocket.last.sent[1]).toEqual(PLAY);
});

test("each failure waits longer than the one before", () => {
  const pauses = [1, 2, 3, 4].map(() => {
    FakeSocket.last.break();
    const count = FakeSocket.all.length;
    let pause = 0;
    for (; FakeSocket.all.length === count; pause += 50) vi.advanceTimersByTime(50);
    return pause;
  });
  expect(pauses[3]).toBeGreaterThan(3 * (pauses[0] ?? Infinity));
});

test.each([4401, 4403, 4404, 4410])("after %i there is no way back", (code) => {
  const socket = welcomed();
  const reason = { key: "seat_lost", values: {}, clause: "" };
  socket.receive({ type: "refused", id: null, reason, version: 4 });
  socket.break(code, "seat_lost");
  vi.advanceTimersByTime(LONG);
  expect(FakeSocket.all).toHaveLength(1);
  expect(listener.onConnection).toHaveBeenLastCalledWith(false, reason);
});

test.each([1001, 1011, 4408, 4429])("after %i it is tried again", (code) => {
  welcomed();
  expect(again(code)).toBe(FakeSocket.all[1]);
});

test("a silent line is asked, and given up when nobody answers", () => {
  const socket = welcomed();
  vi.advanceTimersByTime(26_000);
  expect(socket.sent.at(-1)).toEqual({ type: "ping" });
  vi.advanceTimersByTime(LONG);
  expect(FakeSocket.all.length).toBeGreaterThan(1);
});

test("an answered ping keeps the line", () => {
  const socket = welcomed();
  vi.advanceTimersByTime(26_000);
  socket.receive({ type: "pong" });
  vi.advanceTimersByTime(20_000);
  expect(FakeSocket.all).toHaveLength(1);
});

test("when the network comes back nobody waits for the pause to end", () => {
  welcomed().break();
  dispatchEvent(new Event("online"));
  expect(FakeSocket.all).toHaveLength(2);
});

test("a closed connection stays closed", () => {
  const socket = welcomed();
  connection.close();
  socket.break();
  vi.advanceTimersByTime(LONG);
  expect(FakeSocket.all).toHaveLength(1);
});
