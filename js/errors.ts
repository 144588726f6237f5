// The one error class. Words live here, so that the WebAssembly core needs to carry none.

/** Stable names of what can go wrong. docs/errors.md has an entry for each: its cause, what it leaves untouched, what to do. */
export type ErrorCode =
  | "InvalidId"
  | "InvalidTimestamp"
  | "InvalidWeight"
  | "InvalidArgument"
  | "UnknownKind"
  | "NotFound"
  | "Unsupported"
  | "EpochExhausted"
  | "SchemaMismatch"
  | "CorruptSnapshot"
  | "CorruptEvents"
  | "UnsupportedVersion"
  | "SequenceGap"
  | "Storage"
  | "QuotaExceeded"
  | "Blocked"
  | "Closed"
  | "WasmUnavailable"
  | "Poisoned";

const WORDS: Readonly<Record<ErrorCode, string>> = {
  InvalidId: "not an id: a safe integer ≥ 0, a bigint below 2^64 or a non-empty string of at most 1 KiB is expected",
  InvalidTimestamp: "not a time in range",
  InvalidWeight: "not a weight: a finite number of at most 1e6 in size is expected",
  InvalidArgument: "not what is expected here",
  UnknownKind: "no such kind of signal; add it to `signals` when opening",
  NotFound: "the user has no membership in this community",
  Unsupported: "not built yet",
  EpochExhausted: "the membership has no epochs left",
  SchemaMismatch: "the stored data has another half-life, role or dimension",
  CorruptSnapshot: "the snapshot's bytes are damaged",
  CorruptEvents: "the events' bytes are damaged",
  UnsupportedVersion: "the bytes were written by a newer version",
  SequenceGap: "events are missing before these",
  Storage: "the storage failed",
  QuotaExceeded: "the storage is full",
  Blocked: "the storage is held by another tab or process",
  Closed: "the database is closed",
  WasmUnavailable: "the WebAssembly module could not be loaded",
  Poisoned: "WebAssembly failed and this handle is unusable; what is stored is intact, open again",
};

/** The codes that the core throws, by number. 0 is none. */
const CORE_CODES: readonly (ErrorCode | undefined)[] = [
  undefined,
  "InvalidId",
  "InvalidTimestamp",
  "InvalidWeight",
  "InvalidArgument",
  "UnknownKind",
  "NotFound",
  "Unsupported",
  "EpochExhausted",
  "SchemaMismatch",
  "CorruptSnapshot",
  "CorruptEvents",
  "UnsupportedVersion",
  "SequenceGap",
];

/** What a TidegateError may carry besides its code. */
export interface TidegateErrorDetails {
  /** The argument at fault. */
  argument?: string | undefined;
  /** More precise words than the code's own. */
  message?: string | undefined;
  /** What it goes back to. */
  cause?: unknown;
}

/**
 * Every error that Tidegate throws or rejects with, except those of the caller's own getters, iterators and clock.
 * @example
 * ```js
 * try {
 *   tide.signal({ user: "ada", item: "heat", kind: "like", weight: Infinity });
 * } catch (error) {
 *   if (!(error instanceof TidegateError)) throw error;
 *   error.code; // → "InvalidWeight"
 *   error.argument; // → "weight"
 * }
 * ```
 */
export class TidegateError extends Error {
  /** What went wrong; stable across versions. */
  readonly code: ErrorCode;
  /** The argument at fault, where there is one: `"user"`, `"items[3].vector"`, … */
  readonly argument?: string;

  /** For stores of one's own. Without a message the code's own words are the message. */
  constructor(code: ErrorCode, details: TidegateErrorDetails = {}) {
    const { argument, message = WORDS[code], cause } = details;
    super(argument === undefined ? message : `${argument}: ${message}`, cause === undefined ? undefined : { cause });
    this.name = "TidegateError";
    this.code = code;
    if (argument !== undefined) this.argument = argument;
  }
}

/** An argument that is not what it should be; `expected` completes "… is expected". */
export function invalidArgument(argument: string, expected: string): TidegateError {
  return new TidegateError("InvalidArgument", { argument, message: `${expected} is expected` });
}

/** Runs `work`. Where it refuses an argument, it is this one; `expected` is what an `InvalidArgument` says of it. */
export function naming<T>(argument: string, expected: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof TidegateError) || error.argument !== undefined) throw error;
    if (error.code === "InvalidArgument") throw invalidArgument(argument, expected);
    if (error.code === "InvalidId")
      throw new TidegateError("InvalidId", { argument, message: "another name has the same 64-bit hash" });
    throw error;
  }
}

/** The error behind a number that the core threw, or undefined where it is none of its numbers. */
export function coreError(thrown: unknown): TidegateError | undefined {
  const code = typeof thrown === "number" ? CORE_CODES[thrown] : undefined;
  return code === undefined ? undefined : new TidegateError(code);
}
