import { expect, test } from "vitest";
import en from "../../src/hastilude/messages/en.json";
import ja from "../../src/hastilude/messages/ja.json";
import { known, LANGUAGES, sentence, speak, type Language } from "./voice.svelte";

const CATALOGUES: Record<Language, object> = { en, ja };

test.each(Object.keys(LANGUAGES) as Language[])("every sentence can be said in %s", async (one) => {
  await speak(one);
  const keys = Object.keys(CATALOGUES[one]).filter((key) => !key.startsWith("$"));
  expect(keys.filter((key) => !known(key))).toEqual([]);
});

test("words of a game take the place of its letters", async () => {
  await speak("en");
  const values = { seat: 1, gem: "R", left: 3 };
  expect(sentence("triatri_gem_from_supply", values, ["Ada", "Ben"])).toBe(
    "Ben names a red gem from the supply and leaves 3 of that colour there.",
  );
});
