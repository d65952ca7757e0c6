/**
 * The sentences as functions: `node paraglide.config.ts` writes them, and so do vite and vitest.
 *
 * The sentences of each game are in its folder. They are merged with those of all games into
 * `src/catalogue/`, where the compiler reads them.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { compile, type CompilerOptions } from "@inlang/paraglide-js";

const PACKAGE = new URL("../src/hastilude/", import.meta.url);
const MERGED = new URL("src/catalogue/", import.meta.url);

const games = readdirSync(new URL("games/", PACKAGE)).filter((name) => !name.startsWith("_"));

/** Sentences that only the command line and the terminal say: the first page should be light. */
const ELSEWHERE = new RegExp(
  "^(arena|backup|batch|cli_(?!verify)|join_(?!others_again)|record_|research|serve|terminal_help|" +
    "terminal_(keys|kept|resume|which|curtain|leave|leaving|names|begins|one_of|yes_or_no)(_|$))",
);

function merge(name: string, shared: string, own: string): void {
  const files = [`messages/${shared}`, ...games.map((game) => `games/${game}/${own}`)];
  const contents = files
    .map((file) => new URL(file, PACKAGE))
    .filter((file) => existsSync(file))
    .map((file) => JSON.parse(readFileSync(file, "utf-8")) as object)
    .flatMap(Object.entries)
    .filter(([key]) => !ELSEWHERE.test(key));
  mkdirSync(MERGED, { recursive: true });
  writeFileSync(new URL(name, MERGED), JSON.stringify(Object.fromEntries(contents), null, 2));
}

export function mergeCatalogues(): void {
  for (const language of ["en", "ja"])
    merge(`${language}.json`, `${language}.json`, `messages.${language}.json`);
  merge("kinds.json", "kinds.json", "kinds.json");
}

export const options = {
  project: "./project.inlang",
  outdir: "./src/paraglide",
  outputStructure: "locale-modules",
  strategy: ["globalVariable", "baseLocale"],
  emitGitIgnore: false,
  emitPrettierIgnore: false,
  emitReadme: false,
} satisfies CompilerOptions;

mergeCatalogues();
if (import.meta.main) await compile(options);
