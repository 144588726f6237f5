// `tidegate` in Cloudflare's workerd, which runs modules that were imported and compiles no others.
import { bring } from "./bring.js";
import module from "./generated/tidegate_bg.wasm";
import * as plain from "./open.js";
import type { OpenOptions, Tidegate } from "./types.js";

export * from "./index.js";

const complete = /* @__PURE__ */ bring(() => module);

/** As `open` in every other runtime. */
export function open(options?: OpenOptions): Promise<Tidegate> {
  return plain.open(complete(options));
}

/** As `restore` in every other runtime. */
export function restore(snapshot: Uint8Array, options?: OpenOptions): Promise<Tidegate> {
  return plain.restore(snapshot, complete(options));
}
