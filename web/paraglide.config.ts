/**
 * The sentences as functions: `node paraglide.config.ts` writes them, and so do vite and vitest.
 *
 * The sentences of each game are in its folder. They are merged with those of all games into
 * `src/catalogue/`, where the compiler reads them. What only the command line and the terminal say is
 * left out: everybody who opens the page would load it.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { compile, type CompilerOptions } from "@inlang/paraglide-js";

const PACKAGE = new URL("../src/hastilude/", import.meta.url);
const MERGED = new URL("src/catalogue/", import.meta.url);

const games = readdirSync(new URL("games/", PACKAGE)).filter((name) => !name.startsWith("_"));

const ELSEWHERE =
  /^(arena|backup|batch|cli|join|preview|research|serve|terminal_(help|keys?|learn|menu))_/;
const SOURCE = new URL("src/", import.meta.url);
const source = readdirSync(SOURCE, { recursive: true, encoding: "utf-8" })
  .filter((file) => /\.(svelte|ts)$/.test(file) && !file.startsWith("paraglide"))
  .map((file) => readFileSync(new URL(file, SOURCE), "utf-8"))
  .join();

function isSaidHere(key: string): boolean {
  return !ELSEWHERE.test(key) || source.includes(`"${key}"`);
}

function merge(name: string, shared: string, own: string): void {
  const files = [`messages/${shared}`, ...games.map((game) => `games/${game}/${own}`)];
  const contents = files
    .map((file) => new URL(file, PACKAGE))
    .filter((file) => existsSync(file))
    .flatMap((file) => Object.entries(JSON.parse(readFileSync(file, "utf-8")) as object))
    .filter(([key]) => isSaidHere(key));
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
