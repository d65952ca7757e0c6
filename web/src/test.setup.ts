/** Tests are about any screen, so they need all sentences. */

import { loadAllSentences } from "./messages.svelte";

await loadAllSentences();
