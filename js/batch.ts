// Batches of signals at the door. The caller's arrays are copied first: what is checked is what crosses into the core,
// whatever the caller's objects answer, and whoever writes to shared memory meanwhile.
import { fields, isWeight } from "./check.js";
import { invalidArgument, TidegateError } from "./errors.js";
import type { Ids } from "./ids.js";
import { isSignalTime } from "./time.js";
import type { SignalBatch } from "./types.js";

/** A batch as the core takes it. */
export interface CheckedBatch {
  user: number;
  items: BigUint64Array;
  kinds: Uint16Array;
  weights: Float32Array | undefined;
  at: Float64Array | undefined;
  community: number;
}

const ARRAYS = { BigUint64Array, Uint16Array, Float32Array, Float64Array };
type Arrays = { [N in keyof typeof ARRAYS]: InstanceType<(typeof ARRAYS)[N]> };

/** Checks a whole batch. */
export function checkBatch(batch: unknown, ids: Ids, kindCount: number, now: number): CheckedBatch {
  const { user, items, kinds, weights, at, community } = fields<SignalBatch>(batch, "batch");
  const checked: CheckedBatch = {
    user: ids.user(user),
    items: typedArray(items, "BigUint64Array", "items"),
    kinds: typedArray(kinds, "Uint16Array", "kinds"),
    weights: weights === undefined ? undefined : typedArray(weights, "Float32Array", "weights"),
    at: at === undefined ? undefined : typedArray(at, "Float64Array", "at"),
    community: ids.optional(community, "community"),
  };
  const { length } = checked.items;
  for (const name of ["kinds", "weights", "at"] as const) {
    const array = checked[name];
    if (array !== undefined && array.length !== length)
      throw invalidArgument(name, `a length of ${length}, as items has,`);
  }
  refuse(checked.kinds, (kind) => kind < kindCount, "UnknownKind", "kinds");
  refuse(checked.weights, isWeight, "InvalidWeight", "weights");
  refuse(checked.at, (ms) => isSignalTime(ms, now), "InvalidTimestamp", "at");
  return checked;
}

function refuse(
  array: Uint16Array | Float32Array | Float64Array | undefined,
  allowed: (element: number) => boolean,
  code: "UnknownKind" | "InvalidWeight" | "InvalidTimestamp",
  argument: string,
): void {
  if (array === undefined) return;
  // A plain loop: what `findIndex` does around each element costs as much as recording it.
  for (let index = 0; index < array.length; index++) {
    if (!allowed(array[index] as number)) throw new TidegateError(code, { argument: `${argument}[${index}]` });
  }
}

// The brand, not the class: it holds across realms, and for no proxy or look-alike.
const brandOf = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag)?.get;

function typedArray<N extends keyof Arrays>(value: unknown, name: N, argument: string): Arrays[N] {
  if (brandOf?.call(value) === name) {
    try {
      // Copied by what the array is, not by what its properties say; a detached one is refused.
      return new ARRAYS[name](value as never) as Arrays[N];
    } catch {
      // Said below.
    }
  }
  throw invalidArgument(argument, `a ${name}`);
}
