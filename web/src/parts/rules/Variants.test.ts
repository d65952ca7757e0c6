import { render, screen } from "@testing-library/svelte";
import { afterEach, expect, test, vi } from "vitest";
import type { GameFacts } from "../../protocol";
import Variants from "./Variants.svelte";

const option = (name: string, variant: boolean) => ({
  name,
  default: 3,
  allowed: [3, 4],
  most: null,
  variant,
});
const FACTS = {
  name: "kings_tournament",
  options: [option("best_of", false), option("joust_margin", true), option("melee_margin", true)],
} as unknown as GameFacts;

vi.mock("../../api", () => ({ games: () => Promise.resolve([FACTS]) }));
afterEach(() => (document.body.innerHTML = ""));

test("a table says which variants it plays, and nothing of its other options", async () => {
  render(Variants, { game: "kings_tournament", options: { best_of: 3, joust_margin: 4 } });
  await screen.findByText("Variants at this table");
  const items = screen.getAllByRole("listitem").map((item) => item.textContent?.trim());
  expect(items).toEqual(["Margin that decides a joust: 4"]);
});

test("a table without variants says nothing", async () => {
  const { container } = render(Variants, { game: "kings_tournament", options: { best_of: 3 } });
  await Promise.resolve();
  await Promise.resolve();
  expect(container.textContent).toBe("");
});
