import { expect, test } from "vitest";
import { known, say, setLanguage, render } from "./messages.svelte";

test("each reader hears the same sentence in their language", async () => {
  const followed = {
    key: "tornei_must_follow",
    values: { suit: "C", cards: ["C4"] },
    clause: "T9",
  };
  await setLanguage("en");
  expect(render(followed)).toBe("T9: Cross was led and you hold C4.");
  await setLanguage("ja");
  expect(render(followed)).toMatch(/^T9：リードスートは/);
});

test("a name is spoken as it is, whatever is in it", async () => {
  await setLanguage("en");
  const won = { key: "tornei_won", values: { seat: 0, card: "W1" }, clause: "" };
  expect(render(won, ["<b>{card}</b>"])).toContain("<b>{card}</b> wins the trick with W1");
});

test("a sentence that is not in the catalogue is told by its key", async () => {
  await setLanguage("en");
  expect(known("tornei_suit_C")).toBe(true);
  expect(known("tornei_suit_X")).toBe(false);
  expect(say("nothing")).not.toBe("nothing");
  expect(render({ key: "of_a_newer_server", values: {}, clause: "" })).toBe("of_a_newer_server");
});
