// What an entry of the built package brings with it, file by file.
import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { at } from "./project.mjs";

const dist = at("pkg", "dist");
// What tsc and wasm-bindgen write, and nothing else, is read with this.
const followed = /^(?:import|export) [^;]*?"(\.[^"]+)"|new URL\("(\.[^"]+)", import\.meta\.url\)/gm;

/**
 * The files that entries of pkg/dist/ lead to, the heaviest first.
 * @param {string[]} entries `["index.js"]`
 */
export function weigh(entries) {
  const seen = new Set(entries.map((entry) => join(dist, entry)));
  // What is added meanwhile is walked too.
  for (const file of seen) {
    if (!file.endsWith(".js")) continue;
    for (const [, imported, fetched] of readFileSync(file, "utf8").matchAll(followed)) {
      seen.add(join(dirname(file), imported ?? fetched ?? ""));
    }
  }
  return [...seen]
    .map((file) => ({ file: relative(dist, file), bytes: readFileSync(file).length }))
    .sort((a, b) => b.bytes - a.bytes);
}

/** @param {string | Uint8Array} content the bytes that it takes after brotli, as a server would send it */
export const afterBrotli = (content) => brotliCompressSync(content).length;

/** @param {string} file a name that `weigh` gave; its bytes after brotli */
export const compressed = (file) => afterBrotli(readFileSync(join(dist, file)));

/** @param {number} bytes */
export const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} KB`;
