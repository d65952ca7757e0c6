/** The sentences as functions: `node paraglide.config.ts` writes them, and so do vite and vitest. */
import { compile, type CompilerOptions } from "@inlang/paraglide-js";

export const options = {
  project: "./project.inlang",
  outdir: "./src/paraglide",
  outputStructure: "locale-modules",
  strategy: ["globalVariable", "baseLocale"],
  emitGitIgnore: false,
  emitPrettierIgnore: false,
  emitReadme: false,
} satisfies CompilerOptions;

if (import.meta.main) await compile(options);
