/**
 * The same as `tidegate` with the module inside the JavaScript, for places that can neither fetch nor copy a file. `tidegate`
 * itself is this where there is a disk: in Deno, which asks for permission to read a file, and in Node, where frameworks bundle for
 * the server and lose sight of it. Nothing is unpacked before the first `open`.
 *
 * @module tidegate/inline
 */
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
  // What the web has for this takes Node thirty times as long. Asking the process for its modules leaves nothing that a bundler
  // would follow.
  const { process } = globalThis as { process?: Partial<Builtin> };
  if (process?.getBuiltinModule !== undefined) return ofNode(process as Builtin);
  const text = atob(deflated);
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < bytes.length; index++) bytes[index] = text.charCodeAt(index);
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).arrayBuffer();
}

function ofNode(process: Builtin): Uint8Array<ArrayBuffer> {
  const { Buffer } = process.getBuiltinModule("node:buffer");
  return process.getBuiltinModule("node:zlib").inflateRawSync(Buffer.from(deflated, "base64"));
}

/** What is used of the process in Node 20.16 and later, Deno and Bun. */
interface Builtin {
  getBuiltinModule(id: "node:buffer"): { Buffer: { from(text: string, encoding: "base64"): Uint8Array } };
  getBuiltinModule(id: "node:zlib"): { inflateRawSync(bytes: Uint8Array): Uint8Array<ArrayBuffer> };
}
