// Builds the page of www/ as a folder for any static host, and weighs what a first visit loads of it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { at } from "./project.mjs";
import { filesIn } from "./stamps.mjs";
import { afterBrotli } from "./weigh.mjs";

/** The most that a first visit may load, in bytes after brotli; the catalogue does not count. */
export const budget = {
  /** Document, styles, scripts and the WebAssembly module. */
  firstLoad: 175_000,
  /** The page's own scripts and styles, without the library's. */
  page: 27_000,
};

/** Where `npm run build:www` leaves the page. */
export const site = at("www", "dist");

/**
 * Builds the page into a folder, which is emptied first.
 * @param {string} [outDir]
 * @param {import("vite").Plugin[]} [plugins] more than those of the page, for tests
 */
export async function buildSite(outDir = site, plugins = []) {
  const { build } = await import("vite");
  const before = process.env.NODE_ENV;
  // A test runner has set another one, with which packages are built as for development.
  process.env.NODE_ENV = "production";
  try {
    await build({ root: at("www"), plugins, build: { outDir, emptyOutDir: true } });
  } finally {
    if (before === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = before;
  }
}

/**
 * @typedef {object} Weight
 * @property {string} file
 * @property {"page" | "library" | "module" | "document" | "other"} part
 * @property {number} bytes
 * @property {number} compressed bytes after brotli, as a host would send them
 */

/** @type {[Weight["part"], RegExp][]} */
const parts = [
  ["document", /^index\.html$/],
  ["library", /^assets\/tidegate-[^/]*\.js$/],
  ["module", /\.wasm$/],
  ["page", /^assets\/.*\.(?:js|css)$/],
];

/**
 * What is in a built folder, the heaviest first, and what a first visit loads of it.
 * @param {string} folder
 */
export function weighSite(folder) {
  const files = filesIn(folder)
    .map((file) => {
      const content = readFileSync(join(folder, file));
      const part = parts.find(([, names]) => names.test(file))?.[0] ?? "other";
      return { file, part, bytes: content.length, compressed: afterBrotli(content) };
    })
    .sort((a, b) => b.compressed - a.compressed);
  /** @param {Weight["part"][]} of */
  const sum = (...of) =>
    files.filter(({ part }) => of.includes(part)).reduce((total, { compressed }) => total + compressed, 0);
  return { files, firstLoad: sum("document", "library", "module", "page"), page: sum("page") };
}
