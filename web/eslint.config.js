import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import tseslint from "typescript-eslint";
import svelteConfig from "./svelte.config.js";

export default tseslint.config(
  { ignores: ["src/paraglide", "src/protocol.ts"] },
  js.configs.recommended,
  tseslint.configs.strict,
  svelte.configs.recommended,
  {
    rules: {
      "no-undef": "off", // TypeScript knows better
      "svelte/no-unused-svelte-ignore": "off", // svelte-check knows better
      "svelte/prefer-svelte-reactivity": "off", // a Map may well be kept out of the drawing
    },
  },
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: { parserOptions: { parser: tseslint.parser, svelteConfig } },
  },
);
