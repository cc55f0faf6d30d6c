import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { documents } from "./build/documents.ts";
import { firstLoad } from "./build/firstLoad.ts";
import { precompress } from "./build/precompress.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const api = "http://127.0.0.1:8787";

/** The HTML entries of the site: the dashboard, and GraphiQL as a page of its own. */
const pages = ["index", "graphiql"];

export default defineConfig({
  plugins: [documents(), react(), precompress()],
  server: {
    host: "127.0.0.1",
    proxy: {
      "/graphql": { target: api, changeOrigin: true, ws: true, headers: { origin: api } },
      "/export": { target: api, changeOrigin: true },
    },
  },
  build: {
    outDir: here("../backend/hermes_sessions/web/static"),
    emptyOutDir: true,
    // Inlined files would be `data:` addresses, which the content security policy refuses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // GraphiQL's editor is one chunk of 2.8 MB. The dashboard has a budget of its own: `npm run size`.
    chunkSizeWarningLimit: 3000,
    rolldownOptions: {
      // The React compiler's runtime tells the compiler to leave it alone, which the bundler need not know.
      checks: { moduleLevelDirective: false },
      output: { codeSplitting: { groups: [{ name: firstLoad() }] } },
      input: Object.fromEntries(pages.map((page) => [page, here(`./${page}.html`)])),
    },
  },
  test: {
    css: { modules: { classNameStrategy: "non-scoped" } },
    restoreMocks: true,
    testTimeout: 40_000,
    projects: [
      // A page costs more than a second per file: what needs none is tested without.
      {
        extends: true,
        test: { name: "logic", include: ["src/**/*.test.ts"], exclude: ["src/**/*.dom.test.ts"], isolate: false },
      },
      {
        extends: true,
        test: {
          name: "page",
          include: ["src/**/*.dom.test.ts", "src/**/*.test.tsx"],
          environment: "jsdom",
          setupFiles: ["./src/test/setup.ts"],
        },
      },
    ],
  },
});
