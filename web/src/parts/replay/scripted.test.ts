/** Where deals were written in advance, the page says so; elsewhere it does not. */
import { cleanup, render, screen } from "@testing-library/svelte";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import * as api from "../../api";
import { saveSeat, saveSeed, seatAt } from "../../storage";
import type { TableFacts as Facts } from "../../protocol";
import type { MatchRecord } from "../../record";
import { say, setLanguage } from "../../messages.svelte";
import ShuffleCheck from "./ShuffleCheck.svelte";
import TableFacts from "../table/TableFacts.svelte";

vi.mock("../../api");

const CLOCK = { kind: "none", seconds: 0, increment: 0 } as const;
const RECORD = { game: "tornei", events: [] } as unknown as MatchRecord;
const PROVEN = { ...RECORD, proof: {} } as unknown as MatchRecord;
const SEAT = { code: "abcd", game: "tornei", token: "t", seat: 0, used: 0 };

beforeAll(() => setLanguage("en"));
afterEach(() => {
  cleanup();
  localStorage.clear();
});

test.each([true, false])("a table's facts (scripted: %s)", (scripted) => {
  render(TableFacts, {
    game: "tornei",
    options: {},
    clock: CLOCK,
    away: null,
    practice: false,
    tracker: false,
    scripted,
  });
  expect(screen.queryByText(say("terminal_scripted")) !== null).toBe(scripted);
});

describe("where shuffles are checked", () => {
  /** Whether it is said, and whether there is something to check. */
  async function check(record: MatchRecord, scripted: boolean) {
    vi.mocked(api.table).mockResolvedValue({ scripted } as Facts);
    render(ShuffleCheck, { code: "abcd", match: 1, record, people: { names: [], reader: null } });
    await new Promise((done) => setTimeout(done));
    return [
      screen.queryByText(say("terminal_scripted")) !== null,
      screen.queryByRole("button", { name: say("web_shuffles_check") }) !== null,
    ];
  }

  test("a scripted table", async () => {
    expect(await check(RECORD, true)).toEqual([true, false]);
  });

  test("a fair table", async () => {
    expect(await check(PROVEN, false)).toEqual([false, true]);
  });

  test("a fair table whose proof is missing", async () => {
    expect(await check(RECORD, false)).toEqual([false, true]);
  });

  test("a table that promised something and is scripted afterwards", async () => {
    saveSeat(SEAT);
    saveSeed("abcd", 1, { seed: "ab", commitment: "cd" });
    expect(await check(RECORD, true)).toEqual([false, true]);
  });
});

test("a table that promises nothing leaves nothing to compare", () => {
  saveSeat(SEAT);
  saveSeed("abcd", 1, { seed: "ab", commitment: null });
  expect(seatAt("abcd")?.seeds).toBeUndefined();
});
