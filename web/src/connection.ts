/**
 * The connection to a table. When it breaks, it reconnects after increasing delays and asks the
 * table for what it missed. A play or a question without an answer is sent again with the same id,
 * so a choice that was made offline is kept, and played once.
 */

import type { Ask, ClientFrame, Hint, Missed, Play, Sentence, ServerFrame } from "./protocol";

const FIRST_PAUSE = 400;
const LONGEST_PAUSE = 10_000;
const FLOODED_PAUSE = 15_000;
const SILENCE = 25_000; // milliseconds without a frame before a ping is sent
const PATIENCE = 8_000;
/** Close codes from here on are final: reconnecting would not help, except after these. */
const FINAL = 4400;
const LATE = 4408; // a slow device can be faster the next time
const FLOODED = 4429;

export interface Listener {
  onFrame(frame: ServerFrame): void;
  /** Whether the server can be reached; with a reason, the connection is lost for good. */
  onConnection(up: boolean, lost: Sentence | null): void;
}

export class Connection {
  #socket: WebSocket | null = null;
  #version: number | undefined;
  #unanswered = new Map<string, Play | Ask | Hint | Missed>();
  #pause = FIRST_PAUSE;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #alive: ReturnType<typeof setTimeout> | undefined;
  #ended = false;
  #reason: Sentence | null = null;

  constructor(
    private readonly code: string,
    private readonly token: string | null,
    private readonly listener: Listener,
  ) {
    addEventListener("online", this.#hurry);
    document.addEventListener("visibilitychange", this.#hurry);
    this.#open();
  }

  send(frame: ClientFrame): void {
    if ("id" in frame) this.#unanswered.set(frame.id, frame);
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(frame));
  }

  close(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#alive);
    removeEventListener("online", this.#hurry);
    document.removeEventListener("visibilitychange", this.#hurry);
    this.#socket?.close();
  }

  #open(): void {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/tables/${this.code}/socket`);
    this.#socket = socket;
    socket.onopen = () => this.#greet(socket);
    socket.onmessage = (event) => this.#receive(JSON.parse(String(event.data)) as ServerFrame);
    socket.onclose = (event) => {
      if (socket === this.#socket) this.#broken(event.code, event.reason);
    };
  }

  #greet(socket: WebSocket): void {
    const since = this.#version ?? 0;
    socket.send(JSON.stringify({ type: "hello", token: this.token, since }));
    for (const frame of this.#unanswered.values()) socket.send(JSON.stringify(frame));
    this.#watch();
  }

  #receive(frame: ServerFrame): void {
    this.#watch();
    if (frame.type === "welcome") {
      this.#pause = FIRST_PAUSE;
      this.listener.onConnection(true, null);
    }
    if (frame.type === "update") this.#version = frame.version;
    if ("id" in frame && frame.id) this.#unanswered.delete(frame.id);
    if (frame.type === "refused") this.#reason = frame.reason; // it may be why the table closes
    this.listener.onFrame(frame);
  }

  #broken(code: number, key: string): void {
    clearTimeout(this.#alive);
    if (this.#ended) return;
    if (code >= FINAL && ![LATE, FLOODED].includes(code)) {
      const given = this.#reason?.key === key ? this.#reason : null;
      this.close();
      this.listener.onConnection(false, given ?? { key: key || "failed", values: {}, clause: "" });
      return;
    }
    this.listener.onConnection(false, null);
    const pause = code === FLOODED ? FLOODED_PAUSE : this.#pause * (0.7 + 0.6 * Math.random());
    this.#pause = Math.min(2 * this.#pause, LONGEST_PAUSE);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#open(), pause);
  }

  /** Detect a dead connection: ping, and reconnect if there is no answer. */
  #watch(): void {
    clearTimeout(this.#alive);
    this.#alive = setTimeout(() => {
      this.send({ type: "ping" });
      this.#alive = setTimeout(() => this.#abandon(), PATIENCE);
    }, SILENCE);
  }

  #abandon(): void {
    const dead = this.#socket;
    this.#socket = null;
    dead?.close();
    this.#broken(1006, "");
  }

  /** The network is back, or the page is visible again. */
  #hurry = (): void => {
    if (document.hidden || this.#ended) return;
    if (this.#socket?.readyState === WebSocket.OPEN) {
      this.send({ type: "ping" });
      clearTimeout(this.#alive);
      this.#alive = setTimeout(() => this.#abandon(), PATIENCE);
    } else if (this.#socket?.readyState !== WebSocket.CONNECTING) {
      clearTimeout(this.#timer);
      this.#open();
    }
  };
}
