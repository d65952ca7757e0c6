import { cleanup, render } from "@testing-library/svelte";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { applySettings, settings } from "../../settings.svelte";
import TurnSignal from "./TurnSignal.svelte";

const played: number[] = []; // the pitches of the notes

class FakeContext {
  readonly currentTime = 0;
  readonly destination = {};
  resume = () => Promise.resolve();
}

class FakeGain {
  readonly gain = { linearRampToValueAtTime: vi.fn(), exponentialRampToValueAtTime: vi.fn() };
  connect = () => this;
}

class FakeOscillator {
  constructor(
    _: unknown,
    private readonly options: OscillatorOptions,
  ) {}
  connect = (next: unknown) => next;
  start = () => played.push(this.options.frequency ?? 0);
  stop = () => undefined;
}

function hide(hidden: boolean) {
  vi.spyOn(document, "hidden", "get").mockReturnValue(hidden);
  document.dispatchEvent(new Event("visibilitychange"));
}

beforeAll(async () => {
  vi.stubGlobal("AudioContext", FakeContext);
  vi.stubGlobal("GainNode", FakeGain);
  vi.stubGlobal("OscillatorNode", FakeOscillator);
  await applySettings();
});
beforeEach(() => played.splice(0));
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

test.each([true, false])("with sound (%s) a hidden tab calls whose turn it is", async (sound) => {
  settings.sound = sound;
  hide(true);
  const { rerender } = render(TurnSignal, { yourTurn: false, title: "Waiting for Ben." });
  expect(played).toEqual([]);
  expect(document.title).toBe("Waiting for Ben. · Hastilude");
  await rerender({ yourTurn: true });
  expect(played).toEqual(sound ? [660, 880] : []);
  expect(document.title).toBe("● Your turn · Hastilude");
  hide(false);
  await rerender({ title: "Play a card." });
  expect(document.title).toBe("Play a card. · Hastilude");
  expect(played).toHaveLength(sound ? 2 : 0); // once per turn
});
