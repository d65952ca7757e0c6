import { fireEvent, render, screen, within } from "@testing-library/svelte";
import { expect, test, vi } from "vitest";
import type { NewTableForm } from "../../newTableForm.svelte";
import type { GameFacts } from "../../protocol";
import FriendsForm from "./FriendsForm.svelte";

const TORNEI = {
  name: "tornei",
  players: [4],
  seats: 4,
  tracker: false,
  options: [
    { name: "players", default: 4, allowed: [4], most: null, variant: false },
    { name: "place_points", default: [2, 3, 3, 2], allowed: [], most: 6, variant: true },
    { name: "no_trick_points", default: 3, allowed: [0, 3, 10], most: null, variant: true },
  ],
} as unknown as GameFacts;

test("variants are folded away, and what is chosen there is asked of the server", async () => {
  const oncreate = vi.fn<(form: NewTableForm) => void>();
  render(FriendsForm, { game: TORNEI, busy: false, problem: "", oncreate });
  const variants = screen.getByText("Variants").closest("details");
  if (!variants) throw new Error("not folded");
  expect(variants.open).toBe(false);
  const places = within(variants).getAllByRole<HTMLInputElement>("spinbutton", { hidden: true });
  expect(places.map(({ value, max }) => `${value} of ${max}`)).toEqual([
    "2 of 6",
    "3 of 6",
    "3 of 6",
    "2 of 6",
  ]);
  await fireEvent.input(places[3] as HTMLInputElement, { target: { value: "5" } });
  expect(within(variants).getByLabelText("Bonus for no tricks")).toBeTruthy();
  await fireEvent.click(screen.getByText("Create table"));
  expect(oncreate.mock.calls[0]?.[0].body.options).toEqual({
    players: 4,
    place_points: [2, 3, 3, 5],
    no_trick_points: 3,
  });
});
