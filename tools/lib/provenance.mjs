// The record of a release: from which commit and with which tools it was built, and the checksums of what came out.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { at, cargoTools } from "./project.mjs";
import { run } from "./run.mjs";
import { bindgenFlags, generated, optFlags } from "./wasm.mjs";
import { compressed, weigh } from "./weigh.mjs";

/**
 * Writes the record beside the packages, and gives what of it is worth a look.
 * @param {string} folder
 * @param {string[]} packs names of the packages
 * @param {string} version
 */
export async function provenance(folder, packs, version) {
  const record = {
    package: "tidegate",
    version,
    commit: await line("git", "rev-parse", "HEAD"),
    clean: (await line("git", "status", "--porcelain")) === "",
    tools: {
      rustc: await line("rustc", "--version"),
      cargo: await line("cargo", "--version"),
      "wasm-bindgen": cargoTools["wasm-bindgen"].version,
      binaryen: installed("binaryen"),
      typescript: installed("typescript"),
      node: process.version,
      npm: await line("npm", "--version"),
    },
    flags: { "wasm-bindgen": bindgenFlags, "wasm-opt": optFlags },
    sha256: Object.fromEntries([
      ...packs.map((name) => [name, sha256(join(folder, name))]),
      ["tidegate_bg.wasm", sha256(join(generated, "tidegate_bg.wasm"))],
      ["Cargo.lock", sha256(at("Cargo.lock"))],
      ["package-lock.json", sha256(at("package-lock.json"))],
    ]),
    /** What a browser loads, in bytes. */
    weights: weigh(["index.js"]).map(({ file, bytes }) => ({ file, bytes, brotli: compressed(file) })),
  };
  const file = `tidegate-${version}.json`;
  writeFileSync(join(folder, file), `${JSON.stringify(record, null, 2)}\n`);
  const sums = Object.entries(record.sha256).map(([name, sum]) => `  ${sum}  ${name}`);
  return [`${file}, of commit ${record.commit}${record.clean ? "" : " with changes"}`, ...sums].join("\n");
}

/** @param {string} file */
const sha256 = (file) => createHash("sha256").update(readFileSync(file)).digest("hex");

/** @param {string} name of a package */
const installed = (name) => JSON.parse(readFileSync(at("node_modules", name, "package.json"), "utf8")).version;

/**
 * @param {string} command
 * @param {string[]} args
 */
const line = async (command, ...args) => (await run(command, args, { silent: true })).trim();
