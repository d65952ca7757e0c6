/** Where deals were written in advance, the page says so; elsewhere it does not. */
import { cleanup, render, screen } from "@testing-library/svelte";
import { afterEach, describe, expect, test } from "vitest";
import { keepSeat, keepSeed, seatAt } from "../keepsakes";
import type { MatchRecord } from "../record";
import { say } from "../voice.svelte";
import ShuffleCheck from "./ShuffleCheck.svelte";
import TableFacts from "./TableFacts.svelte";

const CLOCK = { kind: "none", seconds: 0, increment: 0 } as const;
const RECORD = { game: "tornei", events: [] } as unknown as MatchRecord;
const SEAT = { code: "abcd", game: "tornei", token: "t", seat: 0, used: 0 };

function check(record: MatchRecord) {
  render(ShuffleCheck, { code: "abcd", match: 1, record, names: [] });
  return {
    note: screen.queryByText(say("terminal_scripted")),
    button: screen.queryByRole("button", { name: say("web_shuffles_check") }),
  };
}

afterEach(() => {
  cleanup();
  localStorage.clear();
});

test.each([true, false])("a table's facts (scripted: %s)", (scripted) => {
  render(TableFacts, { options: {}, clock: CLOCK, practice: false, scripted });
  expect(screen.queryByText(say("terminal_scripted")) !== null).toBe(scripted);
});

describe("where shuffles are checked", () => {
  test("a record without a proof", () => {
    const { note, button } = check(RECORD);
    expect(note).not.toBeNull();
    expect(button).toBeNull();
  });

  test("a record without a proof, though one was promised", () => {
    keepSeat(SEAT);
    keepSeed("abcd", 1, { seed: "ab", commitment: "cd" });
    const { note, button } = check(RECORD);
    expect(note).toBeNull();
    expect(button).not.toBeNull();
  });

  test("a record with a proof", () => {
    const { note, button } = check({ ...RECORD, proof: {} } as unknown as MatchRecord);
    expect(note).toBeNull();
    expect(button).not.toBeNull();
  });
});

test("a table that promises nothing leaves nothing to compare", () => {
  keepSeat(SEAT);
  keepSeed("abcd", 1, { seed: "ab", commitment: null });
  expect(seatAt("abcd")?.seeds).toBeUndefined();
});
