/** A WebSocket for tests: records what was sent, and lets a test play the server. */

import type { ClientFrame, SeatState, ServerFrame, Told, Update, Welcome } from "./protocol";

export class FakeSocket {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSED = 3;
  static all: FakeSocket[] = [];

  readyState = FakeSocket.CONNECTING;
  sent: ClientFrame[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number; reason: string }) => void) | null = null;

  constructor(readonly url: string) {
    FakeSocket.all.push(this);
  }

  static get last(): FakeSocket {
    return FakeSocket.all.at(-1) as FakeSocket;
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text) as ClientFrame);
  }

  close(): void {
    this.readyState = FakeSocket.CLOSED;
  }

  // --- the server's side ---

  open(): void {
    this.readyState = FakeSocket.OPEN;
    this.onopen?.();
  }

  receive(frame: ServerFrame): void {
    this.onmessage?.({ data: JSON.stringify(frame) });
  }

  break(code = 1006, reason = ""): void {
    this.readyState = FakeSocket.CLOSED;
    this.onclose?.({ code, reason });
  }
}

export const WELCOME: Welcome = {
  type: "welcome",
  code: "k7qm2xab",
  game: "tornei",
  options: {},
  clock: { kind: "none", seconds: 0, increment: 0 },
  away: null,
  practice: false,
  tracker: null,
  watch: "link",
  scripted: false,
  seat: 0,
};

const PERSON: SeatState = {
  kind: "person",
  name: "",
  level: null,
  here: true,
  host: false,
  stand_in: false,
  left: null,
  running: false,
  takeover: null,
  offered: false,
};

export function told(index: number, ends = ""): Told {
  const values = { seat: 1, card: "W1" };
  return { event: "tornei_won", clause: "T11", values, ends, index, story: index };
}

/** The table in the middle of a match: it is the turn of Anna, in seat 0. */
export function update(version: number, more: Partial<Update> = {}): Update {
  const view = { viewer: 0, phase: "lead", pending: [0], hand: ["W1"], scores: [0, 0] };
  return {
    type: "update",
    version,
    phase: "playing",
    paused: false,
    match: 1,
    seats: [
      { ...PERSON, name: "Anna", host: true },
      { ...PERSON, name: "Ben" },
    ],
    view: view as unknown as Update["view"],
    tracker: null,
    legal: ["W1", "F2"],
    complete: ["W1", "F2"],
    events: [],
    said: [],
    news: [],
    missed: null,
    queue: [],
    pausing: [],
    rematch: [],
    scores: null,
    winners: null,
    commitment: "",
    seeds: [null, null],
    ...more,
  };
}
