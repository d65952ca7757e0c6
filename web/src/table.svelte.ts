/**
 * The state of a table as one person sees it. Updates are shown one after another, slowly enough to
 * follow; what a person does always applies to the newest.
 */

import { Choice } from "./choice.svelte";
import { startClocks } from "./clocks";
import { Connection } from "./connection";
import { FLIGHT, READING, type Drawing, type Scene } from "./games/drawing";
import { namesAt } from "./levels";
import type { Note } from "./parts/history/groups";
import type {
  Answer,
  ClientFrame,
  Hints,
  MissedChoices,
  News,
  Seated,
  Sentence,
  ServerFrame,
  Told,
  Update,
  Welcome,
} from "./protocol";
import { paced, pacedMotion, settings } from "./settings.svelte";
import { load, save } from "./storage";
import { sentence, say } from "./messages.svelte";

const MOST_WAITING = 3;
const SLOWER = 2; // times as long to read

interface Moment {
  readonly update: Update;
  readonly fresh: readonly Told[];
  readonly resting: boolean;
  /** The drawing has shown all of what it rests on. */
  readonly revealed: boolean;
}

type Reply = Answer | Hints | MissedChoices;

/** What somebody who waits for a seat brings along. */
export interface Waiting {
  readonly name: string;
  readonly seed: string;
}

export interface Explained {
  readonly action: string;
  readonly reason: Sentence;
}

export class Table {
  readonly code: string;
  welcome = $state.raw<Welcome | null>(null);
  /** The server's newest update. */
  latest = $state.raw<Update | null>(null);
  /** Whether the server can be reached. */
  connected = $state(false);
  /** Why the connection to this table ended for good. */
  lost = $state.raw<Sentence | null>(null);
  /** A notice from the server about itself. */
  notice = $state.raw<Sentence | null>(null);
  /** The refusal that is shown. */
  trouble = $state.raw<Sentence | null>(null);
  explained = $state.raw<Explained | null>(null);
  /** The hints that are shown; null if none were asked for. */
  hints = $state.raw<Hints | "thinking" | null>(null);
  /** All events of the match that this viewer may know. */
  history = $state.raw<readonly Told[]>([]);
  /** What a bot played for this viewer, and the table before that; once it was asked for. */
  missed = $state.raw<MissedChoices | null>(null);
  /** Whether the table before the bot's moves is shown. */
  lookingBack = $state(false);
  /** How this viewer waits for a seat. */
  queued = $state.raw<Waiting | null>(null);
  /** The seat that this viewer waited for. */
  seated = $state.raw<Seated | null>(null);
  readonly choice: Choice;
  /** The table rests until the person goes on. */
  waits = $state(false);

  #news = $state.raw<readonly News[]>([]);
  #dismissed = $state(0); // the version up to which the reader knows what a bot played
  #shown = $state.raw<Moment | null>(null);
  #waiting: Update[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #drawing: Drawing | null = null;
  #connection: Connection;
  #asked = new Map<string, (frame: Reply) => void>();
  #hinting: string | null = null; // the id of the last question for hints
  #plays = new Map<string, number | null>(); // versions of plays by id; null if not confirmed
  #count = 0;
  readonly #stamp = Math.random().toString(36).slice(2, 10);

  /** `patient`: whether results may wait for a tap. */
  constructor(
    code: string,
    token: string | null,
    private readonly patient = true,
  ) {
    this.code = code;
    this.#dismissed = load<Record<string, number>>("missed", {})[code] ?? 0;
    this.choice = new Choice({
      ask: (actions) => this.#ask<Answer>({ type: "ask", id: this.#id(), actions: [...actions] }),
      play: (actions) => this.#play(actions),
      explain: (action, reason) => (this.explained = { action, reason }),
      skip: () => this.skip(),
    });
    this.#connection = new Connection(code, token, this);
  }

  close(): void {
    this.#stop();
    this.#connection.close();
  }

  /** Call this when the game's drawing is loaded. */
  drawnBy(drawing: Drawing): void {
    this.#drawing = drawing;
  }

  send(frame: ClientFrame): void {
    this.#connection.send(frame);
  }

  get seat(): number | null {
    return this.welcome?.seat ?? null;
  }

  get reader(): number | null {
    return this.seat;
  }

  get names(): readonly string[] {
    return namesAt(this.welcome?.game ?? "", this.latest?.seats ?? []);
  }

  /** What to draw; null before the first match. */
  get scene(): Scene | null {
    const shown = this.#shown;
    if (!shown?.update.view) return null;
    if (this.lookingBack && this.missed) return this.#sceneBefore(this.missed.view);
    return {
      view: shown.update.view,
      seats: this.latest?.seats ?? shown.update.seats,
      names: this.names,
      reader: this.reader,
      fresh: shown.fresh,
      resting: shown.resting,
    };
  }

  #sceneBefore(view: unknown): Scene {
    const { names, reader } = this;
    const seats = this.latest?.seats ?? [];
    return { view: view as Scene["view"], seats, names, reader, fresh: [], resting: false };
  }

  /** How many moves a bot made for this viewer, who has not said that they are known. */
  get missedCount(): number {
    const missed = this.latest?.missed;
    return missed && missed.version > this.#dismissed ? missed.count : 0;
  }

  /** What happened to the players during the match, for the log. */
  get notes(): readonly Note[] {
    return this.#news.map(({ version, after, kind, seat, name }) => {
      // Somebody else may have the seat by now.
      const same = this.names[seat] === name;
      const people = { names: this.names.with(seat, name), reader: same ? this.reader : null };
      return { id: version, after, event: `terminal_${kind}`, values: { seat }, people };
    });
  }

  /** What matters now, in one sentence. */
  get headline(): string {
    const { latest, scene, welcome } = this;
    if (!latest || !welcome) return say("web_opening");
    if (latest.phase === "gathering") return this.#gathering(latest);
    if (latest.paused) return say("table_paused");
    if (scene?.resting && !this.#hurried) {
      if (this.#counting) return this.#counting;
      const decided = scene.fresh.findLast((told) => told.ends);
      if (decided) return sentence(decided.event, decided.values, this);
    }
    if (latest.phase !== "playing" || !scene) return this.#ended(latest);
    const pending = latest.view?.pending ?? [];
    const mine = this.seat !== null && pending.includes(this.seat);
    if (mine && this.choice.sent === null) return this.#question(welcome.game);
    if (mine && !this.connected) return say("web_sent_later");
    const others = pending.filter((seat) => seat !== this.seat);
    return others.length ? sentence("web_waiting", { seats: others }, this) : say("web_sent");
  }

  /** What has just happened, in one sentence. */
  get just(): string {
    if (this.#counting) return "";
    const shown = this.#shown;
    const last = shown?.update.view ? (shown.fresh.at(-1) ?? this.shownHistory.at(-1)) : undefined;
    return last ? sentence(last.event, last.values, this) : "";
  }

  /** The events shown so far, without those that wait or that the drawing is still counting out. */
  get shownHistory(): readonly Told[] {
    const { fresh, revealed } = this.#shown ?? { fresh: [], revealed: true };
    const counted = this.#counting && !revealed ? fresh : [];
    const [next] = [...counted, ...this.#waiting.flatMap(({ events }) => events)];
    return next ? this.history.slice(0, next.index) : this.history;
  }

  async hint(): Promise<void> {
    const id = this.#id();
    this.hints = "thinking";
    this.#hinting = id;
    const hints = await this.#ask<Hints>({ type: "hint", id, actions: [...this.choice.made] });
    if (this.hints === "thinking" && this.#hinting === id) this.hints = hints; // else it was closed
  }

  async askMissed(): Promise<void> {
    this.missed = await this.#ask<MissedChoices>({ type: "missed", id: this.#id() });
  }

  /** Wait for a seat. The place belongs to the connection, so it is asked for again with a new one. */
  wait(waiting: Waiting): void {
    this.queued = waiting;
    this.trouble = null;
    this.send({ type: "queue", ...waiting });
  }

  dismissMissed(): void {
    this.#dismissed = this.latest?.missed?.version ?? 0;
    this.missed = null;
    this.lookingBack = false;
    save("missed", { [this.code]: this.#dismissed }); // of the last table alone
  }

  /** Show the newest update at once. */
  skip(): void {
    this.#stop();
    this.waits = false;
    this.#waiting = [];
    if (this.latest) this.#show(this.latest);
    this.#finishPlays();
  }

  /** Leave the result that the table rests on, and show what followed. */
  goOn(): void {
    if (this.#shown?.resting) this.#wake(this.#shown.update);
  }

  // --- what the server says ---------------------------------------------------------------------

  onConnection(up: boolean, lost: Sentence | null): void {
    this.connected = up;
    if (lost) this.lost = lost;
  }

  onFrame(frame: ServerFrame): void {
    switch (frame.type) {
      case "welcome":
        this.welcome = frame;
        if (this.queued) this.wait(this.queued);
        break;
      case "update":
        this.#update(frame);
        break;
      case "done":
        this.#plays.set(frame.id, frame.version);
        this.#finishPlays();
        break;
      case "refused":
        this.#refused(frame.id, frame.reason);
        break;
      case "answer":
      case "hints":
      case "missed":
        this.#asked.get(frame.id)?.(frame);
        this.#asked.delete(frame.id);
        break;
      case "seated":
        this.seated = frame;
        break;
      case "notice":
        this.notice = frame.reason.key === "store_back" ? null : frame.reason;
        break;
    }
  }

  #update(update: Update): void {
    const before = this.latest;
    startClocks(update.seats);
    this.latest = update;
    if (this.notice?.key === "closing") this.notice = null;
    this.#remember(update, before?.match !== update.match);
    if (this.choice.sent === null) this.choice.offer(update.legal, update.complete);
    if (update.legal.join() !== before?.legal.join()) this.hints = null;
    if (before === null) this.skip();
    else {
      this.#waiting.push(update);
      if (this.#hurried) this.waits = false;
      if (this.#timer === undefined && !this.waits) this.#advance();
    }
  }

  #remember(update: Update, restarted: boolean): void {
    const heard = restarted ? [] : this.#news;
    const last = heard.at(-1)?.version ?? 0;
    this.#news = [...heard, ...update.news.filter(({ version }) => version > last)];
    const [first] = update.events;
    if (!first) {
      if (restarted) this.history = [];
      return;
    }
    this.history = [...this.history.slice(0, restarted ? 0 : first.index), ...update.events];
  }

  /** A committed choice is over once the table has shown its result. */
  #finishPlays(): void {
    for (const [id, version] of this.#plays) {
      if (version === null || version > (this.#shown?.update.version ?? 0)) continue;
      this.#plays.delete(id);
      this.#finish();
    }
  }

  #finish(): void {
    this.choice.finish();
    if (this.latest) this.choice.offer(this.latest.legal, this.latest.complete);
  }

  #refused(id: string | null, reason: Sentence): void {
    if (id !== null && this.#plays.delete(id)) this.#finish();
    if (id !== null) this.#asked.delete(id);
    if (id !== null && id === this.#hinting) this.hints = null;
    if (["name_taken", "queue_full", "queue_seat_open"].includes(reason.key)) this.queued = null;
    if (reason.key !== "stale") this.trouble = reason;
  }

  // --- showing one thing after another ----------------------------------------------------------

  #advance = (): void => {
    this.#stop();
    this.#catchUp();
    const update = this.#waiting.shift();
    if (!update) {
      if (this.#shown?.resting) this.#show(this.#shown.update);
      return;
    }
    const reveal = this.#reveal(update);
    this.#show(update, update.events, reveal !== null);
    this.waits = reveal !== null && this.#waitsAfter(update.events);
    this.#finishPlays();
    if (reveal !== null) this.#timer = setTimeout(this.#read, paced(reveal));
    else this.#timer = setTimeout(this.#advance, pacedMotion(update.events.length ? FLIGHT : 0));
  };

  #show(update: Update, fresh: readonly Told[] = [], resting = false): void {
    this.#shown = { update, fresh, resting, revealed: !resting };
    // A committed choice lies on the table until the table shows what came of it.
    if (this.choice.sent !== null) this.choice.offer(update.legal, update.complete);
  }

  /** Everything is shown: leave time to read it, or wait for the person. */
  #read = (): void => {
    this.#stop();
    const shown = this.#shown;
    if (!shown) return;
    this.#shown = { ...shown, revealed: true };
    if (this.waits) return;
    const slower = settings.pace === "slower" && !this.#hurried;
    const reading = slower ? SLOWER * READING : READING;
    this.#timer = setTimeout(() => this.#wake(shown.update), reading);
  };

  #wake(update: Update): void {
    this.#stop();
    this.waits = false;
    this.#show(update);
    this.#timer = setTimeout(this.#advance, this.#waiting.length ? pacedMotion(FLIGHT) : 0);
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** How long the drawing takes to show a result; null if the table does not rest on this update. */
  #reveal(update: Update): number | null {
    return settings.pace === "instant" ? null : (this.#drawing?.reveal(update.events) ?? null);
  }

  #waitsAfter(events: readonly Told[]): boolean {
    if (!this.patient || this.#hurried) return false;
    const rounds = ["match", ...(this.#drawing?.rounds ?? [])];
    return settings.pace === "tap" || events.some(({ ends }) => rounds.includes(ends));
  }

  /** Whether this person's clock is running: then the table never waits for a tap. */
  get #hurried(): boolean {
    return this.seat !== null && (this.latest?.seats[this.seat]?.running ?? false);
  }

  /** If too much is waiting, leave out what was played before the next result; if there are too
   * many results, or none, everything but the newest update. */
  #catchUp(): void {
    if (this.#waiting.length <= MOST_WAITING) return;
    const results = this.#waiting.filter((update) => this.#reveal(update) !== null);
    const next = results.length > MOST_WAITING ? undefined : results[0];
    this.#waiting.splice(0, this.#waiting.indexOf(next ?? (this.#waiting.at(-1) as Update)));
  }

  // --- asking and playing -----------------------------------------------------------------------

  #id(): string {
    this.#count += 1;
    return `${this.#stamp}-${this.#count}`;
  }

  #ask<Wanted extends Reply>(frame: ClientFrame & { id: string }): Promise<Wanted> {
    return new Promise((resolve) => {
      this.#asked.set(frame.id, resolve as (frame: Reply) => void);
      this.send(frame);
    });
  }

  #play(actions: readonly string[]): void {
    const id = this.#id();
    this.#plays.set(id, null);
    this.trouble = null;
    this.send({ type: "play", id, version: this.latest?.version ?? 0, actions: [...actions] });
  }

  // --- sentences --------------------------------------------------------------------------------

  #gathering(update: Update): string {
    const free = update.seats.filter((seat) => seat.kind === "empty").length;
    return say("web_gathering", { count: free });
  }

  #ended(update: Update): string {
    if (update.phase === "closed") return say("table_closed");
    if (!update.winners) return say("web_replay_given_up");
    const end = this.history.findLast((told) => told.ends === "match");
    return end ? sentence(end.event, end.values, this) : say("match_over");
  }

  /** The headline while the drawing animates a result: it does not reveal the end yet. */
  get #counting(): string {
    const shown = this.#shown;
    if (!shown?.resting) return "";
    return this.#drawing?.counting?.(shown.fresh, shown.revealed) ?? "";
  }

  #question(game: string): string {
    const phase = this.latest?.view?.phase;
    return sentence(`${game}_ask_${phase}`, { seat: this.seat }, this);
  }
}
