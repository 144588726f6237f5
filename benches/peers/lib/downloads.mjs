// What a page downloads: each bundled and minified as an app's build does it, compressed with brotli.
import { bundle } from "../../../tools/lib/bundle.mjs";
import { afterBrotli } from "../../../tools/lib/weigh.mjs";

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
  /** @type {Record<string, number>} */
  const sizes = {};
  for (const [name, source] of Object.entries(ENTRIES)) {
    const output = await bundle(source, folder);
    sizes[name] = output
      .filter(({ fileName }) => !APART.test(fileName))
      .map((file) => afterBrotli(file.type === "chunk" ? file.code : file.source))
      .reduce((sum, size) => sum + size, 0);
  }
  return sizes;
}
