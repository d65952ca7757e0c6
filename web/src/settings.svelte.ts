/** The settings of this browser. */

import { save, load } from "./storage";
import { LANGUAGES, language as spoken, setLanguage, type Language } from "./messages.svelte";

export const THEMES = ["system", "light", "dark"] as const;
export const SPEEDS = ["slow", "normal", "fast", "instant"] as const;
export type Theme = (typeof THEMES)[number];
export type Speed = (typeof SPEEDS)[number];

interface Settings {
  language: Language;
  theme: Theme;
  speed: Speed;
  sound: boolean;
  /** Whether the card tracker is offered, where the host allows it. */
  tracker: boolean;
  name: string;
}

const PACE: Record<Speed, number> = { slow: 1.6, normal: 1, fast: 0.5, instant: 0 };

export const settings = $state<Settings>({
  language: (navigator.language ?? "en").startsWith("ja") ? "ja" : "en",
  theme: "system",
  speed: "normal",
  sound: false,
  tracker: false,
  name: "",
  ...load<Partial<Settings>>("settings", {}),
});

const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** A usual duration, adjusted to the speed that the reader has set. */
export function paced(milliseconds: number): number {
  return milliseconds * PACE[settings.speed];
}

/** The same for motion: none if the system asks for less of it. */
export function pacedMotion(milliseconds: number): number {
  return calm.matches ? 0 : paced(milliseconds);
}

/** Save the settings and apply them; called once, at the start. */
export async function applySettings(): Promise<void> {
  if (!(settings.language in LANGUAGES)) settings.language = "en";
  await setLanguage(settings.language);
  $effect.root(() => {
    $effect(() => save("settings", settings));
    $effect(() => {
      const theme = settings.theme;
      if (theme === "system") delete document.documentElement.dataset.theme;
      else document.documentElement.dataset.theme = theme;
    });
    $effect(() => {
      const language = settings.language;
      setLanguage(language).then(
        () => (document.documentElement.lang = language),
        () => (settings.language = spoken()), // its sentences could not be loaded
      );
    });
  });
}
