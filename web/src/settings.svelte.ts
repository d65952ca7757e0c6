/** The settings of this browser. */

import { save, load } from "./storage";
import { LANGUAGES, language as spoken, setLanguage, type Language } from "./messages.svelte";

export const THEMES = ["system", "light", "dark"] as const;
/** How the table goes on after a trick: by itself, at the reader's tap, or without a pause. */
export const PACES = ["automatic", "slower", "tap", "instant"] as const;
export type Theme = (typeof THEMES)[number];
export type Pace = (typeof PACES)[number];

interface Settings {
  language: Language;
  theme: Theme;
  pace: Pace;
  sound: boolean;
  /** Whether the card tracker is offered, where the host allows it. */
  tracker: boolean;
  name: string;
}

/** How long motion takes, compared with the usual. */
const TEMPO: Record<Pace, number> = { automatic: 1, slower: 1.6, tap: 1, instant: 0 };

/** What the setting was called before, and what its values are now. */
const SPEEDS: Readonly<Record<string, Pace>> = { slow: "slower", instant: "instant" };

/** The saved settings; earlier versions of the page saved a speed. */
function saved(): Partial<Settings> {
  const { speed, ...kept } = load<Partial<Settings> & { speed?: string }>("settings", {});
  return { ...(speed && { pace: SPEEDS[speed] ?? "automatic" }), ...kept };
}

export const settings = $state<Settings>({
  language: (navigator.language ?? "en").startsWith("ja") ? "ja" : "en",
  theme: "system",
  pace: "automatic",
  sound: false,
  tracker: false,
  name: "",
  ...saved(),
});

const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** A usual duration, adjusted to the pace that the reader has set. */
export function paced(milliseconds: number): number {
  return milliseconds * TEMPO[settings.pace];
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
