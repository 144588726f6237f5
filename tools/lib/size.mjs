// What a browser loads for `open, join, leave, rejoin, signal, query`, part by part, and the most that it may be.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { functions, sections } from "./module.mjs";
import { at } from "./project.mjs";
import { say } from "./run.mjs";
import { generated, namedModule } from "./wasm.mjs";

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
  const bundle = await bundled('export { open } from "tidegate";');
  const glue = await bundled('export * from "tidegate-glue";');
  const total = compressed(module) + compressed(bundle);
  const rows = [
    ["the module", module.length, compressed(module)],
    ...sections(module)
      .filter(({ start, end }) => end - start > 1000)
      .map(({ name, start, end }) => [`  ${name}`, end - start, compressed(module.subarray(start, end))]),
    ["the JavaScript, minified", bundle.length, compressed(bundle)],
    ["  of which the glue", glue.length, compressed(glue)],
    ["together", module.length + bundle.length, total],
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

/** @param {string} source an entry */
async function bundled(source) {
  // Imported here: a fresh clone installs its packages before it weighs anything.
  const { build } = await import("vite");
  const entry = "virtual:entry";
  const built = await build({
    root: at(),
    configFile: false,
    logLevel: "error",
    resolve: { alias: { "tidegate-glue": join(generated, "tidegate.js"), tidegate: at("pkg", "dist", "index.js") } },
    plugins: [
      {
        name: "entry",
        resolveId: (id) => (id === entry ? id : null),
        load: (id) => (id === entry ? source : null),
      },
    ],
    build: {
      write: false,
      target: "es2022",
      assetsInlineLimit: 0,
      rollupOptions: { input: entry, preserveEntrySignatures: "strict" },
    },
  });
  const { output } = /** @type {import("vite").Rollup.RollupOutput} */ (built);
  const chunks = output.flatMap((file) => (file.type === "chunk" ? [file.code] : []));
  return Buffer.from(chunks.join(""));
}

/** @param {Uint8Array} bytes */
const compressed = (bytes) => brotliCompressSync(bytes).length;
/** @param {number} bytes */
const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} KB`;
/**
 * @param {string} name
 * @param {number} raw
 * @param {number} [brotli]
 */
const line = (name, raw, brotli) =>
  `  ${name.padEnd(56)}${kilobytes(raw).padStart(10)}${brotli === undefined ? "" : `  brotli ${kilobytes(brotli).padStart(9)}`}`;
