// `tidegate/inline`: the same as `tidegate` with the module inside the JavaScript, for places that can neither fetch nor copy
// a file. `tidegate` itself is this where there is a disk: in Deno, which asks for permission to read a file, and in Node, where
// frameworks bundle for the server and lose sight of it. Nothing is unpacked before the first `open`.
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

async function inflate(): Promise<BufferSource> {
  const text = atob(deflated);
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < bytes.length; index++) bytes[index] = text.charCodeAt(index);
  // Streams take Node twenty times as long. Asking the process for the module leaves nothing that a bundler would follow.
  const { process } = globalThis as { process?: NodeProcess };
  const zlib = process?.getBuiltinModule?.("node:zlib");
  if (zlib !== undefined) return zlib.inflateRawSync(bytes);
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).arrayBuffer();
}

/** What is used of the process in Node 20.16 and later, Deno and Bun. */
interface NodeProcess {
  getBuiltinModule?(id: "node:zlib"): { inflateRawSync(bytes: Uint8Array): Uint8Array<ArrayBuffer> } | undefined;
}
