// The references of both languages, without a warning: TypeDoc for what users of the package import, rustdoc for the crate.
import { join } from "node:path";
import { buildBindings } from "./bindings.mjs";
import { needPackagesOf } from "./needs.mjs";
import { at, wasmTarget } from "./project.mjs";
import { attempt } from "./run.mjs";
import { buildWasm, locked, targetDirectory } from "./wasm.mjs";

// TypeDoc asks TypeScript what it sees, and TypeScript 7 cannot be asked. So it has one of its own, away from all else.
const home = at("tools", "typedoc");

/** Where the pages are: of the crate below `tidegate/`, of the package below `typescript/`. */
export const docsFolder = async () => join(await targetDirectory(), "doc");

export const typedoc = {
  name: "typedoc",
  title: "typedoc",
  run: async () => {
    await buildWasm();
    await buildBindings();
    await needPackagesOf("typedoc", home, "TypeDoc");
    const program = join(home, "node_modules", "typedoc", "bin", "typedoc");
    const args = ["--options", join(home, "typedoc.json"), "--out", join(await docsFolder(), "typescript")];
    return await attempt(process.execPath, [program, ...args], { live: true });
  },
};

/**
 * @param {string} name
 * @param {string[]} where
 */
const cargoDoc = (name, ...where) => {
  const args = ["doc", "--no-deps", ...where, ...locked];
  return {
    name,
    title: ["cargo", ...args].join(" "),
    run: () => attempt("cargo", args, { live: true, env: { RUSTDOCFLAGS: "-D warnings" } }),
  };
};

export const rustdoc = cargoDoc("rustdoc");
/** The bindings are there on this target only. */
export const rustdocWasm = cargoDoc("rustdoc-wasm32", "--target", wasmTarget);
