import { brotliCompressSync, gzipSync } from "node:zlib";
import { paraglideVitePlugin } from "@inlang/paraglide-js";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";
import { compilations, mergeCatalogues } from "./paraglide.config.ts";

/** A changed sentence shows immediately while the page is developed. */
const catalogues: Plugin = {
  name: "catalogues",
  configureServer({ watcher }) {
    watcher.add(["messages", "games"].map((folder) => `../src/hastilude/${folder}`));
    watcher.on("change", (file) => {
      if (file.endsWith(".json") && file.includes("src/hastilude/")) mergeCatalogues();
    });
  },
};

/** Beside each file its compressed forms; browsers take brotli only over HTTPS. */
const compressed: Plugin = {
  name: "compressed",
  generateBundle: {
    order: "post",
    handler(_, bundle) {
      for (const [fileName, file] of Object.entries(bundle)) {
        const content = file.type === "chunk" ? file.code : file.source;
        for (const [ending, compress] of [
          [".br", brotliCompressSync],
          [".gz", gzipSync],
        ] as const) {
          const source = compress(content);
          this.emitFile({ type: "asset", fileName: fileName + ending, source });
        }
      }
    },
  },
};

interface ChunkingContext {
  getModuleInfo(id: string): { isEntry: boolean; importers: readonly string[] } | null;
}

/** What several files use is in two files: what the first page and the languages need; the rest. */
function sharedName(id: string, modules: ChunkingContext): string {
  const seen = new Set<string>();
  const isFirst = (id: string): boolean => {
    const module = modules.getModuleInfo(id);
    if (!module || seen.has(id)) return false;
    seen.add(id);
    return module.isEntry || module.importers.some(isFirst);
  };
  return isFirst(id) || id.includes("/paraglide/first/") ? "first" : "shared";
}

export default defineConfig({
  plugins: [catalogues, ...compilations.map(paraglideVitePlugin), svelte(), compressed],
  build: {
    outDir: "../src/hastilude/web",
    emptyOutDir: true,
    assetsInlineLimit: 0, // the page allows no data: addresses
    modulePreload: { polyfill: false },
    // Few files: a router's guests share one address, and each file is a request.
    cssCodeSplit: false,
    rolldownOptions: {
      checks: { pluginTimings: false },
      output: { codeSplitting: { groups: [{ name: sharedName, minShareCount: 2 }] } },
    },
  },
  server: {
    proxy: { "/api": { target: "http://127.0.0.1:8000", ws: true } },
  },
  resolve: process.env.VITEST ? { conditions: ["browser"] } : {},
  test: {
    environment: "happy-dom",
    include: ["src/**/*.test.ts"],
    setupFiles: "src/test.setup.ts",
  },
});
