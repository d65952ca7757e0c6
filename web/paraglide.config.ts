/**
 * The sentences as functions: `node paraglide.config.ts` writes them, and so do vite and vitest.
 *
 * The sentences of each game are in its folder. They are merged with those of all games into
 * `src/catalogue/`, where the compiler reads them: first what the home page says, which everybody
 * loads who opens the page; later everything else. What only the command line and the terminal say is
 * left out.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { compile, type CompilerOptions } from "@inlang/paraglide-js";

const PACKAGE = new URL("../src/hastilude/", import.meta.url);
const MERGED = new URL("src/catalogue/", import.meta.url);

const games = readdirSync(new URL("games/", PACKAGE)).filter((name) => !name.startsWith("_"));

const ELSEWHERE = [
  /^(arena|backup|batch|cli|join|preview|research|serve)_/,
  /^puzzles?_(?!choice_unknown|none|theme_unknown|unknown)/,
  /^review_(?!label|part|unfinished)/,
  /^terminal_(about|help|kept|keys?|learn|menu|names|no|not|nothing|seats|which|yes)_/,
];
const SOURCE = new URL("src/", import.meta.url);
const source = readdirSync(SOURCE, { recursive: true, encoding: "utf-8" })
  .filter((file) => /\.(svelte|ts)$/.test(file) && !file.startsWith("paraglide"))
  .map((file) => readFileSync(new URL(file, SOURCE), "utf-8"))
  .join();

function isSaidHere(key: string): boolean {
  return !ELSEWHERE.some((keys) => keys.test(key)) || source.includes(`"${key}"`);
}

/** What the home page says of a game. */
const INTRODUCTION = /_(title|about|minutes|difficulty|credits)$/;
/** What it does not say of what all games share. */
const LATER = [
  /^(chance|choice|hints?|lesson|option|phrase|proof|puzzles?|record|review|score|script)_/,
  /^(seat|terminal|tracker)_(?!name|bot|player|rules|you)/,
  /^web_(ask|away|clock|key|lesson|level|option|puzzle|queue|replay|review|shuffles|value|watch)_/,
];

const PARTS = {
  first: (key: string) => !isLater(key),
  later: isLater,
} as const;

function isLater(key: string): boolean {
  if (games.some((game) => key.startsWith(`${game}_`))) return !INTRODUCTION.test(key);
  return LATER.some((keys) => keys.test(key));
}

/** The entries of a file of all games and of the games' own files that may be missing. */
function merged(shared: string, own: string): [string, unknown][] {
  const files = [`messages/${shared}`, ...games.map((game) => `games/${game}/${own}`)];
  return files
    .map((file) => new URL(file, PACKAGE))
    .filter((file) => existsSync(file))
    .flatMap((file) => Object.entries(JSON.parse(readFileSync(file, "utf-8")) as object))
    .filter(([key]) => isSaidHere(key));
}

function write(name: string, entries: [string, unknown][]): void {
  const file = new URL(name, MERGED);
  mkdirSync(new URL(".", file), { recursive: true });
  writeFileSync(file, JSON.stringify(Object.fromEntries(entries), null, 2));
}

export function mergeCatalogues(): void {
  for (const language of ["en", "ja"]) {
    const entries = merged(`${language}.json`, `messages.${language}.json`);
    for (const [part, belongs] of Object.entries(PARTS))
      write(
        `${part}/${language}.json`,
        entries.filter(([key]) => belongs(key)),
      );
  }
  write("kinds.json", merged("kinds.json", "kinds.json"));
}

export const compilations = Object.keys(PARTS).map(
  (part) =>
    ({
      project: `./${part}.inlang`,
      outdir: `./src/paraglide/${part}`,
      outputStructure: "locale-modules",
      strategy: ["globalVariable", "baseLocale"],
      emitGitIgnore: false,
      emitPrettierIgnore: false,
      emitReadme: false,
    }) satisfies CompilerOptions,
);

mergeCatalogues();
if (import.meta.main) for (const options of compilations) await compile(options);
