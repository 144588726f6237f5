// Loads the WebAssembly module: once for all databases, again after a failure, afresh after a fault. Importing does nothing.
import type { Instance } from "./core.js";
import { within } from "./deadline.js";
import { TidegateError } from "./errors.js";
import { __wbg_reset_state, Core, initSync } from "./generated/tidegate.js";
import type { OpenOptions } from "./types.js";

/** Where the module comes from. */
export type WasmSource = NonNullable<OpenOptions["wasm"]> | Brought;

/** A module that an entry brings along: asked for when it is needed, and not before. */
export class Brought {
  readonly module: () => WebAssembly.Module | Promise<BufferSource>;

  constructor(module: Brought["module"]) {
    this.module = module;
  }
}

/** A module that has not come by then, in milliseconds, is given up. */
const PATIENCE = 5_000;

let compiled: WebAssembly.Module | undefined;
let compiling: { source: WasmSource | undefined; done: Promise<void> } | undefined;
let current: Instance | undefined;

/** The instance that all databases share, made where there is none. Rejects with `WasmUnavailable` where it cannot be. */
export async function load(source: WasmSource | undefined): Promise<Instance> {
  while (compiled === undefined) {
    if (compiling === undefined || compiling.source === source) await compileOnce(source);
    // Another caller's source may fail where this one's does not.
    else await compiling.done.catch(() => {});
  }
  return instance(compiled);
}

/** The instance that there is, if it can be used. */
export function loaded(): Instance | undefined {
  return current?.poisoned === false ? current : undefined;
}

function instance(module: WebAssembly.Module): Instance {
  const usable = loaded();
  if (usable !== undefined) return usable;
  try {
    // The glue holds one instance at a time; a poisoned one is replaced, and its objects know that they are stale.
    if (current !== undefined) __wbg_reset_state();
    const { memory } = initSync({ module });
    current = { Core, memory, poisoned: false };
    return current;
  } catch (error) {
    compiled = undefined;
    throw unavailable(error);
  }
}

function compileOnce(source: WasmSource | undefined): Promise<void> {
  if (compiling === undefined) {
    const done = within(PATIENCE, compile(source), () => new Error(`no module within ${PATIENCE} ms`))
      .then((module) => {
        // The glue keeps the first module that it is given, so a wrong one must not reach it.
        const exports = WebAssembly.Module.exports(module);
        if (!exports.some(({ name }) => name === "__wbg_core_free")) throw new Error("this module is not Tidegate's");
        compiled = module;
      })
      .catch((error: unknown) => {
        throw unavailable(error);
      })
      .finally(() => {
        compiling = undefined;
      });
    compiling = { source, done };
  }
  return compiling.done;
}

async function compile(source: WasmSource | undefined): Promise<WebAssembly.Module> {
  const given: unknown = await (source instanceof Brought
    ? source.module()
    : (source ?? new URL("./generated/tidegate_bg.wasm", import.meta.url)));
  if (given instanceof WebAssembly.Module) return given;
  if (typeof given === "string" || given instanceof URL) return compileAddress(given);
  // Before anybody asks for `Response`, which Node then begins to load.
  if (ArrayBuffer.isView(given)) return WebAssembly.compile(given as BufferSource);
  if (typeof Response === "function" && given instanceof Response) return compileResponse(given);
  return WebAssembly.compile(given as BufferSource);
}

async function compileAddress(address: string | URL): Promise<WebAssembly.Module> {
  // Node's fetch reads no files. Asking the process for the module leaves nothing that a bundler would follow.
  const { process } = globalThis as { process?: NodeProcess };
  if (String(address).startsWith("file:") && process?.getBuiltinModule !== undefined) {
    return WebAssembly.compile(await process.getBuiltinModule("node:fs/promises").readFile(new URL(address)));
  }
  return compileResponse(await fetch(address));
}

async function compileResponse(response: Response): Promise<WebAssembly.Module> {
  if (!response.ok) throw new Error(`${response.status} ${response.statusText} from ${response.url}`);
  // Streaming refuses any other content type, and not every server knows this one.
  const typed = response.headers.get("content-type")?.startsWith("application/wasm") === true;
  if (typed && typeof WebAssembly.compileStreaming === "function") return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

/** What is used of the process in Node 20.16 and later, Deno and Bun. */
interface NodeProcess {
  getBuiltinModule?(id: "node:fs/promises"): { readFile(path: URL): Promise<Uint8Array<ArrayBuffer>> };
}

function unavailable(cause: unknown): TidegateError {
  return new TidegateError("WasmUnavailable", { cause });
}
