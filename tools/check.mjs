// npm run check: formatting, lints, types and docs. `lint` does the lints alone, `format` rewrites what is not formatted.
import { readFileSync } from "node:fs";
import { buildBindings, tsc } from "./lib/bindings.mjs";
import { rustdoc, rustdocWasm, typedoc } from "./lib/docs.mjs";
import { needPackages, needRustComponents, needTool, needWasmTarget } from "./lib/needs.mjs";
import { at, wasmTarget } from "./lib/project.mjs";
import { attempt, Failure, main, say } from "./lib/run.mjs";
import { tellSize } from "./lib/size.mjs";
import { runSteps } from "./lib/steps.mjs";
import { buildWasm, locked } from "./lib/wasm.mjs";
import { mutations } from "./mutations/simulation.mjs";

const terminal = process.stdout.isTTY === true;
const forWasm = ["--target", wasmTarget];
const ofFuzzer = ["--manifest-path", "fuzz/Cargo.toml"];
// Lints link nothing, so that libFuzzer need not be compiled for them.
const unlinked = { CUSTOM_LIBFUZZER_PATH: "./unused" };

/**
 * @param {string} name
 * @param {string[]} args
 * @param {Record<string, string>} [env]
 */
const cargo = (name, args, env) => ({
  name,
  title: ["cargo", ...args].join(" "),
  run: () => attempt("cargo", args, { live: true, env }),
});

/** @param {string[]} args */
const biome = (...args) => ({
  name: "biome",
  title: ["biome", ...args].join(" "),
  run: () => {
    const program = at("node_modules", "@biomejs", "biome", "bin", "biome");
    const colours = `--colors=${terminal ? "force" : "off"}`;
    return attempt(process.execPath, [program, ...args, colours], { live: true });
  },
});

/** @param {string[]} where */
const clippy = (where) => ["clippy", "--all-targets", ...where, ...locked, "--", "-D", "warnings"];

const lints = [
  cargo("clippy", clippy([])),
  cargo("clippy-wasm32", clippy(forWasm)),
  cargo("clippy-fuzzer", clippy(ofFuzzer), unlinked),
  biome("ci", "--error-on-warnings"),
];

// The types include those of the generated glue and of the package as www/ and examples/ import it.
const types = {
  name: "types",
  title: "tsc --noEmit",
  run: async () => {
    await buildWasm();
    await buildBindings();
    return await attempt(process.execPath, [tsc, "--noEmit"], { live: true });
  },
};

// What a browser loads may not grow unnoticed.
const size = { name: "size", title: "what a browser loads", run: async () => ({ ok: await tellSize() }) };

// Each set of crates by itself: they have lock files of their own. Advisories are a matter of the day, so `npm run release` asks.
const crates = ["Cargo.toml", "fuzz/Cargo.toml", "benches/peers/native/Cargo.toml"];
const dependencies = {
  name: "dependencies",
  title: "cargo deny check licenses bans sources",
  run: async () => {
    await needTool("cargo-deny");
    let ok = true;
    for (const manifest of crates) {
      const which = ["--manifest-path", manifest, "--config", "deny.toml"];
      const asked = await attempt("cargo-deny", [...which, "check", "licenses", "bans", "sources"], { live: true });
      ok &&= asked.ok;
    }
    return { ok };
  },
};

// What would be published of the crate builds by itself. A tree with changes is packed too, but not in CI.
const ofTree = process.env.CI ? [] : ["--allow-dirty"];
const crate = cargo("crate", ["package", ...locked, ...ofTree]);

// A mistake whose place in the source is gone would no longer be made by tools/mutate.mjs.
const mistakes = {
  name: "mistakes",
  title: "tools/mutations against the source",
  run: async () => {
    const places = mutations.map(({ name, file, find }) => ({ name, file, times: count(file, find) }));
    const stale = places.filter(({ times }) => times !== 1);
    for (const { name, file, times } of stale) say(`${name}: its text is in ${file} ${times} times`);
    return { ok: stale.length === 0 };
  },
};

/**
 * @param {string} file
 * @param {string} text
 */
const count = (file, text) => readFileSync(at(file), "utf8").split(text).length - 1;

/** @type {Record<string, import("./lib/steps.mjs").Step[]>} */
const tasks = {
  lint: lints,
  format: [cargo("rustfmt", ["fmt"]), cargo("rustfmt-fuzzer", ["fmt", ...ofFuzzer]), biome("check", "--write")],
  check: [
    cargo("rustfmt", ["fmt", "--check"]),
    cargo("rustfmt-fuzzer", ["fmt", "--check", ...ofFuzzer]),
    ...lints,
    types,
    size,
    mistakes,
    dependencies,
    crate,
    typedoc,
    rustdoc,
    rustdocWasm,
  ],
};

await main(async () => {
  const task = process.argv[2] ?? "check";
  const steps = tasks[task];
  if (!steps) throw new Failure(`no task ${task}: there are ${Object.keys(tasks).join(", ")}`);
  await needPackages();
  await needRustComponents();
  await needWasmTarget();
  await runSteps(steps);
});
