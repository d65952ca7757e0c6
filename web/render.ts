/** Says what it is given as the page would say it: a test compares that with what Python says. */

import { json } from "node:stream/consumers";
import { createServer } from "vite";
import type { Sentence } from "./src/protocol";
import type { Language, People } from "./src/messages.svelte";

/** Sentences, and who is to read them. */
interface Wanted {
  readonly people: People;
  readonly sentences: readonly Sentence[];
}

const wanted = (await json(process.stdin)) as readonly Wanted[];
const server = await createServer({
  server: { middlewareMode: true, ws: false },
  logLevel: "error",
  optimizeDeps: { noDiscovery: true },
});
const messages = (await server.ssrLoadModule(
  "/src/messages.svelte.ts",
)) as typeof import("./src/messages.svelte");
await messages.loadAllSentences();
const said: Partial<Record<Language, string[]>> = {};
for (const language of Object.keys(messages.LANGUAGES) as Language[]) {
  await messages.setLanguage(language);
  said[language] = wanted.flatMap(({ people, sentences }) =>
    sentences.map((sentence) => messages.render(sentence, people)),
  );
}
await server.close();
process.stdout.write(JSON.stringify(said));
