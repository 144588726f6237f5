// Bundles and minifies as an app's build does, to weigh what a page downloads.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * What comes out of an entry's source.
 * @param {string} source
 * @param {string} folder where the entry is put meanwhile; packages are looked for from there
 */
export async function bundle(source, folder) {
  // Imported here: a fresh clone installs its packages before it weighs anything.
  const { build } = await import("vite");
  const work = mkdtempSync(join(folder, "entry-"));
  try {
    const entry = join(work, "entry.mjs");
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
    return /** @type {import("vite").Rollup.RollupOutput} */ (built).output;
  } finally {
    rmSync(work, { recursive: true });
  }
}
