// For entries that bring the WebAssembly module along.
import { Brought } from "./load.js";
import type { OpenOptions } from "./types.js";

/** Completes the options of `open` and `restore` with a module; one that they name still goes before it. */
export function bring(module: Brought["module"]): (options: OpenOptions | undefined) => OpenOptions | undefined {
  const wasm = { value: new Brought(module) };
  return (options) => {
    if (options === undefined) return Object.create(null, { wasm });
    // What is no object is refused where options are checked.
    if (typeof options !== "object" || options === null || options.wasm !== undefined) return options;
    return Object.create(options, { wasm });
  };
}
