/** Starts the page: settings and language first, then the screen. */

import { mount } from "svelte";
import App from "./App.svelte";
import { followLinks } from "./routes.svelte";
import { applySettings } from "./settings.svelte";
import "./style/palette.css";
import "./style/base.css";

const place = document.getElementById("app") as HTMLElement;

/** The catalogue may be missing too, so this text is here. */
function apologise(): void {
  const words = document.createElement("p");
  words.textContent = "This page could not be loaded. / ページを読み込めませんでした。";
  const again = document.createElement("button");
  again.textContent = "Try again / もう一度試す";
  again.onclick = () => location.reload();
  const main = document.createElement("main");
  main.className = "page";
  main.append(words, again);
  place.replaceChildren(main);
}

try {
  await applySettings();
  followLinks();
  place.replaceChildren(); // the words of index.html
  mount(App, { target: place });
} catch (problem) {
  console.error(problem);
  apologise();
}
