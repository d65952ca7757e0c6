/** Says what it is given as the page would say it: a test compares that with what Python says. */

import { json } from "node:stream/consumers";
import { createServer } from "vite";
import type { Sentence } from "./src/protocol";
import type { Language } from "./src/messages.svelte";

interface Wanted {
  readonly names: readonly string[];
  readonly sentences: readonly Sentence[];
}

const { names, sentences } = (await json(process.stdin)) as Wanted;
const server = await createServer({
  server: { middlewareMode: true, ws: false },
  logLevel: "error",
  optimizeDeps: { noDiscovery: true },
});
const messages = (await server.ssrLoadModule(
  "/src/messages.svelte.ts",
)) as typeof import("./src/messages.svelte");
const said: Partial<Record<Language, string[]>> = {};
for (const language of Object.keys(messages.LANGUAGES) as Language[]) {
  await messages.setLanguage(language);
  said[language] = sentences.map((sentence) => messages.render(sentence, names));
}
await server.close();
process.stdout.write(JSON.stringify(said));
