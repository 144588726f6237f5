// Where things are in this checkout and on this machine, and which versions of tools it is built with.
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The checkout. */
export const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * A path inside the checkout.
 * @param {string[]} parts
 */
export const at = (...parts) => join(root, ...parts);

/** What is kept for this user outside the checkout. */
export const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "tidegate");

/** Tools built by cargo are shared by all clones of one user. */
export const toolCache = join(cache, "tools");

/** And so is the data of benchmarks. */
export const dataCache = join(cache, "data");

export const wasmTarget = "wasm32-unknown-unknown";

/**
 * The version of a crate in Cargo.lock.
 * @param {string} crate
 */
function lockedVersion(crate) {
  const lock = readFileSync(at("Cargo.lock"), "utf8");
  const found = lock.match(new RegExp(`^name = "${crate}"\\nversion = "([^"]+)"`, "m"));
  if (!found?.[1]) throw new Error(`Cargo.lock has no package ${crate}`);
  return found[1];
}

/**
 * @typedef {object} CargoTool
 * @property {string} crate
 * @property {string} version
 * @property {string[]} flags what `cargo install` needs besides the version
 * @property {string[]} programs the first one is asked for its version
 */

// The command line tool must be of exactly the version of the wasm-bindgen crate. Without its default features it
// leaves out a TLS stack that only its test runner's remote drivers need.
/** @type {Record<"wasm-bindgen" | "wasm-pack" | "geckodriver" | "cargo-deny", CargoTool>} */
export const cargoTools = {
  "wasm-bindgen": {
    crate: "wasm-bindgen-cli",
    version: lockedVersion("wasm-bindgen"),
    flags: ["--no-default-features"],
    programs: ["wasm-bindgen", "wasm-bindgen-test-runner"],
  },
  "wasm-pack": { crate: "wasm-pack", version: "0.15.1", flags: [], programs: ["wasm-pack"] },
  geckodriver: { crate: "geckodriver", version: "0.37.1", flags: [], programs: ["geckodriver"] },
  "cargo-deny": { crate: "cargo-deny", version: "0.20.2", flags: [], programs: ["cargo-deny"] },
};

/**
 * Where a tool built by cargo is kept.
 * @param {CargoTool} tool
 */
export const toolHome = (tool) => join(toolCache, `${tool.crate}-${tool.version}`);

/** The search path of every child process: our tools first. */
export function searchPath() {
  const ours = Object.values(cargoTools).map((tool) => join(toolHome(tool), "bin"));
  return [...ours, process.env.PATH ?? ""].join(delimiter);
}

/**
 * The commands that show how the package and the crate are used; each ends with an error where what it shows is not so.
 * @type {[command: string, args: string[]][]}
 */
export const examples = [
  ...["lifecycle.mjs", "two-devices.mjs"].map(
    (name) => /** @type {[string, string[]]} */ ([process.execPath, [at("examples", name)]]),
  ),
  ["cargo", ["run", "--quiet", "--example", "lifecycle"]],
  ["cargo", ["run", "--quiet", "--example", "fold_a_log"]],
];
