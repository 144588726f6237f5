// What `open` and `restore` are told, checked.
import { callback, fields, flag, oneOf, text, whole } from "./check.js";
import { invalidArgument, type TidegateError } from "./errors.js";
import { type GivenKind, givenKinds } from "./kinds.js";
import type { WasmSource } from "./load.js";
import { isStore, type Store } from "./store.js";
import { duration, hostClock } from "./time.js";
import type { OpenOptions } from "./types.js";

/** Options with their defaults. */
export interface Settings {
  name: string;
  storage: "auto" | "memory" | "indexeddb" | Store;
  kinds: GivenKind[];
  dimensions: number;
  /** Undefined leaves a stored setting as it is. */
  outbox: boolean | undefined;
  persist: boolean;
  flushDelay: number;
  now: () => number;
  wasm: WasmSource | undefined;
  startEmpty: boolean;
  onError: (error: TidegateError) => void;
}

const MAX_DIMENSIONS = 4096;
const DEFAULT_FLUSH_DELAY = 50;
/** A timer with more milliseconds than this fires at once. */
const MAX_TIMER = 2 ** 31 - 1;

/** Checks the options of `open` and `restore`. */
export function checkOptions(options: unknown): Settings {
  const given = options === undefined ? {} : fields<OpenOptions>(options, "options");
  const { name, storage, signals, dimensions, outbox, persist, flushDelay, now, wasm, onCorrupt, onError } = given;
  return {
    name: name === undefined ? "tidegate" : text(name, "name"),
    storage: checkStorage(storage),
    kinds: givenKinds(signals),
    dimensions: whole(dimensions, 0, MAX_DIMENSIONS, "dimensions"),
    outbox: flag(outbox, undefined, "outbox"),
    persist: flag(persist, false, "persist"),
    flushDelay:
      flushDelay === undefined ? DEFAULT_FLUSH_DELAY : Math.min(duration(flushDelay, 0, "flushDelay"), MAX_TIMER),
    now: hostClock(callback<() => number>(now, Date.now, "now")),
    wasm: checkWasm(wasm),
    startEmpty: onCorrupt !== undefined && oneOf(onCorrupt, ["reject", "startEmpty"], "onCorrupt") === "startEmpty",
    onError: errorListener(callback<(error: TidegateError) => void>(onError, console.error, "onError")),
  };
}

function checkStorage(storage: unknown): Settings["storage"] {
  if (storage === undefined) return "auto";
  if (isStore(storage)) return storage;
  if (typeof storage !== "string") throw invalidArgument("storage", "a Store or the name of one");
  return oneOf(storage, ["auto", "memory", "indexeddb"], "storage");
}

// What it really is shows when it is used.
function checkWasm(wasm: unknown): WasmSource | undefined {
  if (wasm === undefined || typeof wasm === "string") return wasm;
  if (typeof wasm !== "object" || wasm === null) throw invalidArgument("wasm", "a module, its bytes or its address");
  return wasm as WasmSource;
}

// There is nobody left to tell what the listener for errors throws.
function errorListener(listener: (error: TidegateError) => void): (error: TidegateError) => void {
  return (error) => {
    try {
      listener(error);
    } catch (thrown) {
      console.error(thrown);
    }
  };
}
