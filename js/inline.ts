// `tidegate/inline`: the same as `tidegate` with the module inside the JavaScript, for places that can neither fetch nor copy
// a file. Nothing is unpacked before the first `open`.
import { bring } from "./bring.js";
import { deflated } from "./generated/tidegate_inline.js";
import * as plain from "./open.js";
import type { OpenOptions, Tidegate } from "./types.js";

export * from "./index.js";

const complete = /* @__PURE__ */ bring(inflate);

/** As `open` of `tidegate`. */
export function open(options?: OpenOptions): Promise<Tidegate> {
  return plain.open(complete(options));
}

/** As `restore` of `tidegate`. */
export function restore(snapshot: Uint8Array, options?: OpenOptions): Promise<Tidegate> {
  return plain.restore(snapshot, complete(options));
}

function inflate(): Promise<ArrayBuffer> {
  const bytes = Uint8Array.from(atob(deflated), (character) => character.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).arrayBuffer();
}
