import { cleanup, fireEvent, render, screen } from "@testing-library/svelte";
import { createRawSnippet, tick } from "svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Choice } from "../../choice.svelte";
import { settings } from "../../settings.svelte";
import Hand from "./Hand.svelte";

const card = createRawSnippet<[string, unknown]>((text) => ({
  render: () => `<span>${text()}</span>`,
}));

/** A choice of three cards of a hand, as a server would answer. */
function choosing(cards: readonly string[]): Choice {
  const choice = new Choice({
    ask: (actions) =>
      Promise.resolve({
        type: "answer",
        id: "",
        refused: null,
        legal: actions.length < 3 ? cards : [],
        whole: actions.length === 3,
      }),
    play: () => undefined,
    explain: () => undefined,
    skip: () => undefined,
  });
  choice.offer(cards, []);
  return choice;
}

async function hand(cards: readonly string[], direct: boolean) {
  const choice = choosing(cards);
  render(Hand, { cards, choice, card, name: (text: string) => text, direct });
  await tick();
  return choice;
}

const held = () =>
  screen
    .queryAllByRole("button")
    .map(
      (button) => button.dataset.card + (button.getAttribute("aria-pressed") === "true" ? "↑" : ""),
    );

beforeEach(() => {
  settings.pace = "instant";
});
afterEach(cleanup);

async function tap(place: number) {
  await fireEvent.click(screen.getAllByRole("button")[place] as HTMLElement);
  await tick();
}

describe("a hand with equal cards", () => {
  it("raises the one that was tapped", async () => {
    await hand(["2", "5", "5"], false);
    await tap(2);
    expect(held()).toEqual(["2", "5", "5↑"]);
  });

  it("gives one of them away and keeps the other", async () => {
    const choice = await hand(["2", "5", "5"], false);
    await choice.take("5");
    await vi.waitFor(() => expect(held()).toEqual(["2", "5"]));
    choice.back();
    await vi.waitFor(() => expect(held()).toEqual(["2", "5", "5"]));
  });
});

describe("a hand from which a line is placed", () => {
  it("places with one tap", async () => {
    const choice = await hand(["2", "5", "8"], true);
    await tap(0);
    await vi.waitFor(() => expect(choice.made).toEqual(["2"]));
    expect(choice.lifted).toBeNull();
  });
});
