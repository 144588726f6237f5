// Builds the WebAssembly module and its JavaScript glue into js/generated/.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { inlined, inlineFiles } from "./inline.mjs";
import { withoutNames } from "./module.mjs";
import { needTool, needWasmTarget } from "./needs.mjs";
import { at, cargoTools, wasmTarget } from "./project.mjs";
import { run } from "./run.mjs";
import { fingerprint, once } from "./stamps.mjs";

/** The glue is generated where js/ imports it from; compiled, it lies at the same relative place in the package. */
export const generated = at("js", "generated");
export const glueFiles = ["tidegate.js", "tidegate.d.ts", "tidegate_bg.wasm", ...Object.values(inlineFiles)];

// The loader hands over the module itself, so the glue names no file of its own (a bundler would take it for a second
// copy). A fresh instance after a trap needs the reset function. Every engine in use has TextEncoder.encodeInto.
export const bindgenFlags = [
  "--target=web",
  "--out-name=tidegate",
  "--omit-default-module-path",
  "--experimental-reset-state-function",
  "--encode-into=always",
  "--ts-typed-array-buffers",
  "--remove-producers-section",
];

// What rustc's code for this target uses; SIMD is in all engines since 2023.
export const optFlags = [
  "-O3",
  "--enable-bulk-memory",
  "--enable-nontrapping-float-to-int",
  "--enable-reference-types",
  "--enable-multivalue",
  "--enable-sign-ext",
  "--enable-mutable-globals",
  "--enable-simd",
];

/** The module with the names of its functions, to weigh them. */
export const namedModule = at("node_modules", ".cache", "tidegate", "named.wasm");

/** Cargo.lock is kept up to date by hand; a CI run that would change it is a mistake. */
export const locked = process.env.CI ? ["--locked"] : [];

const cargoHome = process.env.CARGO_HOME ?? join(homedir(), ".cargo");

/** Where cargo puts what it builds: the user may have moved it. */
export async function targetDirectory() {
  const metadata = await run("cargo", ["metadata", "--no-deps", "--format-version=1", ...locked], {
    silent: true,
  });
  return /** @type {string} */ (JSON.parse(metadata).target_directory);
}

export async function buildWasm() {
  await needWasmTarget();
  await needTool("wasm-bindgen");
  // Cargo knows best whether anything changed. Where panics happen is written down in the module: not under whose home.
  const remap = `target.${wasmTarget}.rustflags=["--remap-path-prefix=${cargoHome}=cargo"]`;
  await run("cargo", ["build", "--release", "--lib", "--target", wasmTarget, "--config", remap, ...locked], {
    title: "cargo build: the WebAssembly module",
  });
  const built = join(await targetDirectory(), wasmTarget, "release", "tidegate.wasm");
  const binaryen = JSON.parse(readFileSync(at("node_modules", "binaryen", "package.json"), "utf8"));
  const tools = [cargoTools["wasm-bindgen"].version, binaryen.version];
  const print = fingerprint([built], [...tools, ...bindgenFlags, ...optFlags]);
  const outputs = [...glueFiles.map((file) => join(generated, file)), namedModule];
  await once("wasm", print, outputs, () => generate(built));
}

/** @param {string} built the module as it comes from cargo */
async function generate(built) {
  const work = at("node_modules", ".cache", "tidegate", `wasm-${process.pid}`);
  mkdirSync(work, { recursive: true });
  try {
    await run("wasm-bindgen", [...bindgenFlags, "--out-dir", work, built], { title: "wasm-bindgen" });
    const module = join(work, "tidegate_bg.wasm");
    await optimise(module, namedModule, "--debuginfo");
    writeFileSync(module, withoutNames(readFileSync(namedModule)));
    // The types of its raw exports, which only the glue calls.
    rmSync(join(work, "tidegate_bg.wasm.d.ts"));
    const { script, types } = inlined(readFileSync(module));
    writeFileSync(join(work, inlineFiles.script), script);
    writeFileSync(join(work, inlineFiles.types), types);
    rmSync(generated, { recursive: true, force: true });
    mkdirSync(dirname(generated), { recursive: true });
    renameSync(work, generated);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * Optimises a module; what is measured beside ours is built alike.
 * @param {string} from
 * @param {string} to
 * @param {string[]} more flags
 */
export async function optimise(from, to, ...more) {
  const wasmOpt = at("node_modules", "binaryen", "bin", "wasm-opt");
  await run(process.execPath, [wasmOpt, ...optFlags, ...more, from, "-o", to], { title: "wasm-opt" });
}
