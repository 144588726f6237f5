// What a browser loads for `open, join, leave, rejoin, signal, query`, part by part, and the most that it may be.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { bundle } from "./bundle.mjs";
import { functions, sections } from "./module.mjs";
import { say } from "./run.mjs";
import { generated, namedModule } from "./wasm.mjs";
import { afterBrotli, kilobytes } from "./weigh.mjs";

/** Module, glue and bindings together, minified and compressed with brotli, in bytes. */
export const BUDGET = 145_200;

/** Rooms and crates by what their functions are called; the first that fits. What is exported begins with what it is of. */
const GROUPS = /** @type {const} */ ([
  ["sorting", /\bsort::/],
  ["formatting, panics", /\bfmt\b|panic|_fail\b/],
  ["hash tables", /hashbrown/],
  ["serde, postcard", /serde|postcard/],
  ["the allocator", /dlmalloc|__rust|__rdl/],
  ["the core, by room", /tidegate::(\w+)/],
  ["calls of the binding, with what is inlined into them", /^core_/],
]);

/**
 * Says what each part weighs; whether that is within the budget.
 * @returns {Promise<boolean>}
 */
export async function tellSize() {
  const module = readFileSync(join(generated, "tidegate_bg.wasm"));
  const script = await bundled('export { open } from "tidegate";');
  const glue = await bundled(`export * from ${JSON.stringify(join(generated, "tidegate.js"))};`);
  const total = afterBrotli(module) + afterBrotli(script);
  const rows = [
    ["the module", module.length, afterBrotli(module)],
    ...sections(module)
      .filter(({ start, end }) => end - start > 1000)
      .map(({ name, start, end }) => [`  ${name}`, end - start, afterBrotli(module.subarray(start, end))]),
    ["the JavaScript, minified", script.length, afterBrotli(script)],
    ["  of which the glue", glue.length, afterBrotli(glue)],
    ["together", module.length + script.length, total],
  ];
  for (const [name, raw, brotli] of rows) say(line(String(name), Number(raw), Number(brotli)));
  say("  code of the module:");
  for (const [name, raw] of groups()) say(line(`  ${name}`, raw));
  const within = total <= BUDGET;
  say(`  ${within ? "within" : "OVER"} the budget of ${kilobytes(BUDGET)}`);
  return within;
}

/** The code of the module by group, the largest first. */
function groups() {
  const sums = new Map();
  for (const { name, bytes } of functions(readFileSync(namedModule))) {
    const [group, pattern] = GROUPS.find(([, pattern]) => pattern.test(name)) ?? ["other"];
    const room = pattern?.exec(name)?.[1];
    const key = room === undefined ? group : `the core: ${room}`;
    sums.set(key, (sums.get(key) ?? 0) + bytes);
  }
  return [...sums].sort((a, b) => b[1] - a[1]);
}

/**
 * The scripts that an entry leads to.
 * @param {string} source
 */
async function bundled(source) {
  const output = await bundle(source, dirname(namedModule));
  return output.flatMap((file) => (file.type === "chunk" ? [file.code] : [])).join("");
}

/**
 * @param {string} name
 * @param {number} raw
 * @param {number} [brotli]
 */
const line = (name, raw, brotli) =>
  `  ${name.padEnd(56)}${kilobytes(raw).padStart(10)}${brotli === undefined ? "" : `  brotli ${kilobytes(brotli).padStart(9)}`}`;
