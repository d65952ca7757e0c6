import { cleanup, fireEvent, render, screen } from "@testing-library/svelte";
import { flushSync } from "svelte";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { applySettings, settings } from "../../settings.svelte";
import SettingsForm from "./SettingsForm.svelte";

beforeAll(() => applySettings());
afterEach(cleanup);

test("the language is that of the page at once, and is remembered", async () => {
  render(SettingsForm);
  await fireEvent.click(screen.getByRole("button", { name: "日本語" }));
  await vi.waitFor(() => expect(document.documentElement.lang).toBe("ja"));
  expect(await screen.findByLabelText("テーマ")).toBeTruthy();
  expect(localStorage.getItem("hastilude:settings")).toContain('"language":"ja"');
  await fireEvent.click(screen.getByRole("button", { name: "English" }));
  expect(await screen.findByLabelText("Theme")).toBeTruthy();
});

test("light and dark by wish, or as the device", () => {
  settings.theme = "dark";
  flushSync();
  expect(document.documentElement.dataset.theme).toBe("dark");
  settings.theme = "system";
  flushSync();
  expect(document.documentElement.dataset.theme).toBeUndefined();
});

test("nothing is heard before it is wished", async () => {
  render(SettingsForm);
  const sound = screen.getByLabelText<HTMLInputElement>("Sound");
  expect(sound.checked).toBe(false);
  await fireEvent.click(sound);
  expect(settings.sound).toBe(true);
});

test.each([
  [{ speed: "slow" }, "slower"],
  [{ speed: "fast", theme: "dark" }, "automatic"],
  [{ speed: "instant" }, "instant"],
  [{ pace: "tap" }, "tap"],
])("settings saved as %j have the pace %s", async (saved, pace) => {
  localStorage.setItem("hastilude:settings", JSON.stringify(saved));
  vi.resetModules();
  const fresh = await import("../../settings.svelte");
  expect(fresh.settings.pace).toBe(pace);
  expect(fresh.settings).not.toHaveProperty("speed");
});
