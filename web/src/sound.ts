/** Two short sounds, played only if the setting allows it. */

import { settings } from "./settings.svelte";

let context: AudioContext | null = null;

/** The sound of a card that is played. */
export function tick(): void {
  note(1150, 0, 0.045, 0.04, "triangle");
}

/** The sound that says it is your turn. */
export function chime(): void {
  note(660, 0, 0.28, 0.09, "sine");
  note(880, 0.13, 0.42, 0.09, "sine");
}

function note(pitch: number, after: number, length: number, loud: number, wave: OscillatorType) {
  if (!settings.sound || typeof AudioContext === "undefined") return;
  context ??= new AudioContext();
  void context.resume(); // browsers suspend sound until the first touch
  const start = context.currentTime + after;
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.linearRampToValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(loud, start + 0.01);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + length);
  const source = new OscillatorNode(context, { type: wave, frequency: pitch });
  source.connect(gain).connect(context.destination);
  source.start(start);
  source.stop(start + length);
}
