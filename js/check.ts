// Shapes of what callers pass. Each property of a caller's object is read exactly once, before anything changes; what a
// caller's getter or iterator throws passes through as it is (R8).
import { invalidArgument, TidegateError } from "./errors.js";

/** The longest name, category or other text that is stored, in bytes of UTF-8 (R16). */
const MAX_TEXT_BYTES = 1024;
/** The largest weight, in size (R15). */
const MAX_WEIGHT = 1e6;

/** A caller's object whose properties may be anything. */
export type Fields<T> = { readonly [K in keyof T]?: unknown };

/** The object itself, its properties unchecked. */
export function fields<T>(value: unknown, argument: string): Fields<T> {
  if (typeof value !== "object" || value === null) throw invalidArgument(argument, "an object");
  return value;
}

/** Walks a caller's iterable. A string is one, but never what was meant where ids or items are expected. */
export function iterable(value: unknown, argument: string): Iterable<unknown> {
  const method: unknown =
    typeof value === "object" && value !== null ? (value as Partial<Iterable<unknown>>)[Symbol.iterator] : undefined;
  if (typeof method !== "function") throw invalidArgument(argument, "an iterable");
  return { [Symbol.iterator]: () => method.call(value) as Iterator<unknown> };
}

/** Whether a value is a string that can be stored: not empty, well-formed, short. */
export function isStorableText(value: unknown): value is string {
  return (
    typeof value === "string" &&
    value.length > 0 &&
    value.length <= MAX_TEXT_BYTES &&
    !/\p{Surrogate}/u.test(value) &&
    // Three bytes per UTF-16 unit at most, so that most strings need no encoding to be measured.
    (value.length * 3 <= MAX_TEXT_BYTES || new TextEncoder().encode(value).length <= MAX_TEXT_BYTES)
  );
}

/** A string that can be stored. */
export function text(value: unknown, argument: string): string {
  if (!isStorableText(value)) throw invalidArgument(argument, "a non-empty, well-formed string of at most 1 KiB");
  return value;
}

/** One of a few strings. */
export function oneOf<const T extends string>(value: unknown, choices: readonly T[], argument: string): T {
  const choice = choices.find((candidate) => candidate === value);
  if (choice === undefined) throw invalidArgument(argument, choices.map((candidate) => `"${candidate}"`).join(" or "));
  return choice;
}

/** A boolean; `undefined` gives the fallback. */
export function flag<T>(value: unknown, fallback: T, argument: string): boolean | T {
  if (value === undefined) return fallback;
  if (typeof value !== "boolean") throw invalidArgument(argument, "a boolean");
  return value;
}

/** An integer in 0 … max; `undefined` gives the fallback. With max = Infinity, Infinity is one too. */
export function whole(value: unknown, fallback: number, max: number, argument: string): number {
  if (value === undefined) return fallback;
  if (typeof value !== "number" || !(value >= 0 && value <= max && (Number.isInteger(value) || value === Infinity))) {
    throw invalidArgument(argument, max === Infinity ? "an integer ≥ 0 or Infinity" : `an integer in 0 … ${max}`);
  }
  return value;
}

/** A number in 0 … 1; `undefined` gives 0. */
export function fraction(value: unknown, argument: string): number {
  if (value === undefined) return 0;
  if (typeof value !== "number" || !(value >= 0 && value <= 1)) throw invalidArgument(argument, "a number in 0 … 1");
  return value;
}

/** Whether a number can be a weight (R15). */
export function isWeight(value: unknown): value is number {
  return typeof value === "number" && Math.abs(value) <= MAX_WEIGHT;
}

/** A weight; `undefined` gives the fallback. */
export function weight<T>(value: unknown, fallback: T, argument: string): number | T {
  if (value === undefined) return fallback;
  if (!isWeight(value)) throw new TidegateError("InvalidWeight", { argument });
  return value;
}

/** A function; `undefined` gives the fallback. */
export function callback<T>(value: unknown, fallback: T, argument: string): T {
  if (value === undefined) return fallback;
  if (typeof value !== "function") throw invalidArgument(argument, "a function");
  return value as T;
}

/** The bytes of any buffer or view, where they are. */
export function view(value: unknown, argument: string): Uint8Array {
  try {
    if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    if (value instanceof ArrayBuffer) return new Uint8Array(value);
  } catch {
    // A detached one has no bytes any more.
  }
  throw invalidArgument(argument, "a Uint8Array");
}

/** A copy of the bytes of any buffer or view, which is left as it was. */
export function bytes(value: unknown, argument: string): Uint8Array<ArrayBuffer> {
  return view(value, argument).slice();
}
