import { mount } from "svelte";
import App from "./App.svelte";
import { followLinks } from "./routes.svelte";
import { follow } from "./settings.svelte";
import "./style/palette.css";
import "./style/base.css";

await follow();
followLinks();
mount(App, { target: document.getElementById("app") as HTMLElement });
