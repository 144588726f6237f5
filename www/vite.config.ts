// How Vite serves and builds the page: for `npm start`, the browser tests and `npm run build:www` alike.
import { defineConfig } from "vite";
import { trimFilms } from "../tools/lib/films.mjs";
import { platform } from "../tools/lib/platform.mjs";
import { root } from "../tools/lib/project.mjs";

export default defineConfig({
  // Addresses are relative, so that the built folder works at any path of any host.
  base: "./",
  clearScreen: false,
  logLevel: "warn",
  plugins: [platform()],
  resolve: { alias: [{ find: /^.*\/vega-datasets\/data\/movies\.json/, replacement: await trimFilms() }] },
  // The page imports our own package and data files only. Discovery of others would reload the page in mid-use.
  optimizeDeps: { noDiscovery: true },
  server: { fs: { allow: [root] } },
  build: {
    // Every browser that runs the page preloads modules by itself.
    modulePreload: { polyfill: false },
    // Small images stay files, too: they are cached by themselves.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        // The library changes less often than the page, and is weighed apart from it.
        codeSplitting: { groups: [{ name: "tidegate", test: /[\\/]pkg[\\/]dist[\\/]/ }] },
      },
    },
  },
});
