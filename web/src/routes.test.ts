import { expect, test } from "vitest";
import { routeOf } from "./routes.svelte";

test.each([
  ["/", { screen: "home" }],
  ["/play/tornei", { screen: "new", game: "tornei" }],
  ["/t/k7qm2xab", { screen: "table", code: "k7qm2xab" }],
  ["/t/k7qm2xab/", { screen: "table", code: "k7qm2xab" }],
  ["/t/k7qm2xab/2", { screen: "replay", code: "k7qm2xab", match: 2 }],
  ["/rules/triatri", { screen: "rules", game: "triatri" }],
  ["/learn/triatri", { screen: "lesson", game: "triatri" }],
  ["/puzzles/triatri", { screen: "puzzles", game: "triatri" }],
  ["/puzzles/triatri/daily", { screen: "puzzles", game: "triatri", id: "daily" }],
  ["/play", { screen: "nowhere" }],
  ["/t/k7qm2xab/two", { screen: "nowhere" }],
  ["/play/tornei/more", { screen: "nowhere" }],
  ["/elsewhere/tornei", { screen: "nowhere" }],
])("%s", (path, screen) => {
  expect(routeOf(path)).toEqual(screen);
});
