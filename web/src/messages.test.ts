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
  expect(render(won, { names: ["<b>{card}</b>"], reader: null })).toContain(
    "<b>{card}</b> wins the trick with W1",
  );
});

test("the reader is addressed, everyone else is named", async () => {
  const won = { key: "tornei_won", values: { seat: 0, card: "W1" }, clause: "" };
  const to = (reader: number | null) => render(won, { names: ["Anna", "Ben"], reader });
  await setLanguage("en");
  expect(to(0)).toMatch(/^You win the trick with W1/);
  expect(to(1)).toMatch(/^Anna wins the trick with W1/);
  expect(to(null)).toMatch(/^Anna wins the trick with W1/);
  await setLanguage("ja");
  expect(to(0)).toMatch(/^あなたが/);
});

test("the reader shares a victory with the others by name", async () => {
  const ended = { key: "tornei_ended", values: { winners: [0, 2], scores: [9, 4, 9] }, clause: "" };
  const to = (reader: number) => render(ended, { names: ["Anna", "Ben", "Cleo"], reader });
  await setLanguage("en");
  expect(to(2)).toBe("You share the victory with Anna! Scores: Anna (9), Ben (4), you (9).");
  expect(to(1)).toBe("Anna and Cleo share the victory. Scores: Anna (9), you (4), Cleo (9).");
});

test("a sentence that is not in the catalogue is told by its key", async () => {
  await setLanguage("en");
  expect(known("tornei_suit_C")).toBe(true);
  expect(known("tornei_suit_X")).toBe(false);
  expect(say("nothing")).not.toBe("nothing");
  expect(render({ key: "of_a_newer_server", values: {}, clause: "" })).toBe("of_a_newer_server");
});
