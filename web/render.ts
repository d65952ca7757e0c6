/** Says what it is given as the page would say it: a test compares that with what Python says. */

import { json } from "node:stream/consumers";
import { createServer } from "vite";
import type { Sentence } from "./src/protocol";
import type { Language } from "./src/voice.svelte";

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
const voice = (await server.ssrLoadModule(
  "/src/voice.svelte.ts",
)) as typeof import("./src/voice.svelte");
const said: Partial<Record<Language, string[]>> = {};
for (const language of Object.keys(voice.LANGUAGES) as Language[]) {
  await voice.speak(language);
  said[language] = sentences.map((sentence) => voice.tell(sentence, names));
}
await server.close();
process.stdout.write(JSON.stringify(said));
