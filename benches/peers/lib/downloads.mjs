// What a page downloads: each bundled and minified as an app's build does it, compressed with brotli.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { build } from "vite";

/** What an app imports. The tuned peers are written for the workload and come with it. */
const ENTRIES = {
  tidegate: 'export { open, restore } from "tidegate";',
  plain: 'export { plain } from "../../peers/plain.mjs";',
  tuned: 'export { tuned } from "../../peers/tuned.mjs";',
  forward: 'export { forward } from "../../peers/forward.mjs";',
  tinybase: 'export { createStore } from "tinybase/store";',
  sqlite: 'export { default } from "@sqlite.org/sqlite-wasm";',
  loro: 'export { default, LoroDoc } from "loro-crdt/web";',
};
/** Parts of a build that the default way of using it does not load: workers, and proxies for file systems. */
const APART = /worker|opfs|proxy/i;

/**
 * Bytes by name.
 * @param {string} folder for the entries, below this package
 * @returns {Promise<Record<string, number>>}
 */
export async function downloads(folder) {
  const work = mkdtempSync(join(folder, "entry-"));
  /** @type {Record<string, number>} */
  const sizes = {};
  try {
    for (const [name, source] of Object.entries(ENTRIES)) {
      const entry = join(work, `${name}.mjs`);
      writeFileSync(entry, source);
      const built = await build({
        root: work,
        configFile: false,
        logLevel: "error",
        build: {
          write: false,
          target: "es2022",
          assetsInlineLimit: 0,
          rollupOptions: { input: entry, preserveEntrySignatures: "strict" },
        },
      });
      const { output } = /** @type {import("vite").Rollup.RollupOutput} */ (built);
      sizes[name] = output
        .filter(({ fileName }) => !APART.test(fileName))
        .map((file) => brotliCompressSync(file.type === "chunk" ? file.code : file.source).length)
        .reduce((sum, size) => sum + size, 0);
    }
  } finally {
    rmSync(work, { recursive: true });
  }
  return sizes;
}
