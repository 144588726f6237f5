// What callers pass: ids, times, options, items, signals, queries.
import type { TidegateError } from "./errors.js";
import type { Store } from "./store.js";

/**
 * A safe integer, a bigint in 0 … 2^64−1, or a non-empty string of well-formed Unicode, at most 1 KiB as UTF-8.
 * `"42"`, `42` and `42n` are the same id; any other string is a name, hashed to 64 bits and given back in results.
 * As a user, 0 is reserved. Anything else is `InvalidId` (R16).
 */
export type Id = string | number | bigint;

/** Milliseconds since 1970-01-01T00:00:00Z, or a Date (R15). */
export type Time = number | Date;

/** Milliseconds, or a number with a unit: `"90s"`, `"15m"`, `"6h"`, `"7d"`. */
export type Duration = number | `${number}${"ms" | "s" | "m" | "h" | "d"}`;

/** How a database is opened. Every field is optional. */
export interface OpenOptions {
  /** Database name; tabs that use one name share it. Non-empty, at most 1 KiB as UTF-8. Default `"tidegate"`. */
  name?: string;
  /**
   * `"auto"` (default): IndexedDB where there is one, else memory (then `persistent` is false). Where IndexedDB hangs or
   * is forbidden, `"auto"` goes on in memory within 10 s and tells `onError`, and `"indexeddb"` rejects with `Storage` or
   * `Blocked`. Or a Store, such as `fileStore(directory)` of `tidegate/node`.
   */
  storage?: "auto" | "memory" | "indexeddb" | Store;
  /**
   * Kinds of signal, added to or overriding the {@link DefaultKind | default ones}; at most 256 in all; frozen into the data
   * (R19). What is left out of a kind that exists stays as it is. A half-life or role other than the stored one is
   * `SchemaMismatch`; a weight other than the stored one holds for this handle.
   */
  signals?: Readonly<Record<string, SignalKind>>;
  /** Dimension of item vectors, 1 … 4096, if any are used. Frozen into the data at first use (R19). */
  dimensions?: number;
  /**
   * Keep community events for `exportEvents` until acknowledged (R12). Default false, which leaves the setting of an existing
   * database as it is; given explicitly, `false` turns it off, and drops what waits.
   */
  outbox?: boolean;
  /**
   * Ask the browser not to evict what is stored (`navigator.storage.persist()`), which may ask the person. Default false:
   * nothing is asked. What came of it, `navigator.storage.persisted()` tells. Without effect outside IndexedDB.
   */
  persist?: boolean;
  /** How long unwritten signals may wait before they are flushed. Default 50 ms. Membership changes never wait. */
  flushDelay?: Duration;
  /** The clock, in milliseconds. Default `Date.now`. Read once per call, clamped into range, never refused (R15). */
  now?: () => number;
  /** The compiled module, its bytes or its address, where the default way of loading does not fit (CSP, edge runtimes). */
  wasm?: WebAssembly.Module | BufferSource | URL | string | Promise<Response>;
  /** Stored bytes that cannot be read: reject with `CorruptSnapshot` or `CorruptEvents` (default), or start empty and keep
   *  the bytes aside (R9). */
  onCorrupt?: "reject" | "startEmpty";
  /** What fails in the background (a flush, a listener) is told here, and what storage has lost. Default: `console.error`. */
  onError?: (error: TidegateError) => void;
}

/** One kind of signal. */
export interface SignalKind {
  /** Default weight of one signal, finite, at most 1e6 in size. Negative counts against. Default 1. */
  weight?: number;
  /** The time in which a signal's say halves. Must be > 0. Default "7d". */
  halfLife?: Duration;
  /** The item counts as seen. Default false. */
  seen?: boolean;
  /** The item is hidden for this user from now on (a hard negative). Default false. */
  hide?: boolean;
}

/**
 * The kinds that every database has, unless `OpenOptions.signals` says otherwise when it is made.
 *
 * | kind | weight | half-life | role |
 * |---|---|---|---|
 * | `impression` | 0 | 30 days | seen |
 * | `view` | 1 | 30 days | seen |
 * | `click` | 2 | 30 days | seen |
 * | `like` | 4 | 180 days | seen |
 * | `save` | 4 | 180 days | |
 * | `share` | 6 | 180 days | |
 * | `skip` | −1 | 30 days | seen |
 * | `dislike` | −4 | 180 days | seen |
 * | `hide` | 0 | 180 days | hide |
 */
export type DefaultKind = "impression" | "view" | "click" | "like" | "save" | "share" | "skip" | "dislike" | "hide";

/** The name of a kind: a default one, which editors complete, or one of `OpenOptions.signals`. */
export type KindName = DefaultKind | (string & Record<never, never>);

/** An item and its features. */
export interface Item {
  /** The item's own id. */
  id: Id;
  /** Length = `OpenOptions.dimensions`; each finite as a 32-bit float. */
  vector?: ArrayLike<number>;
  /** Non-empty, at most 1 KiB as UTF-8 each. Repeats and order do not matter. */
  categories?: readonly string[];
  /** Who made it. */
  creator?: Id;
  /** Any finite time. Newer items rank a little higher. */
  createdAt?: Time;
}

/** What a member shares with a community. */
export interface SharePolicy {
  /** 0 … 65535, default 1. Kept with each contribution, for an app that changes its terms. */
  version?: number;
  /** Kinds that may be shared. Default `"All"`. */
  share?: "All" | "None" | readonly KindName[];
}

/** How to leave. `"StopForward"` (default): what already counted stays. `"Purge"` is not built yet. */
export type LeaveMode = "StopForward" | "Purge";

/** One thing that a user did with an item. */
export interface Signal {
  /** Who did it. */
  user: Id;
  /** With what. It becomes known by the signal, without features (R20). */
  item: Id;
  /** A default kind or one of `OpenOptions.signals`; another one is `UnknownKind`. */
  kind: KindName;
  /** Finite, at most 1e6 in size. Default: the kind's. */
  weight?: number;
  /** 1990-01-01 … now + 24 h. Default now (R15). */
  at?: Time;
  /** Without it the signal is local only. */
  community?: Id;
  /** Who writes on the user's behalf; kept in provenance (R5). */
  agent?: Id;
}

/** A signal that names no community. Its outcome is `"Local"`. */
export interface LocalSignal extends Signal {
  /** Absent. */
  community?: never;
}

/** A signal that names a community. */
export interface CommunitySignal extends Signal {
  /** Where it is to count besides the profile. */
  community: Id;
}

/** Many signals of one user. The arrays are read during the call only. */
export interface SignalBatch {
  /** Who did it all. */
  user: Id;
  /** Ids from `idOf`. */
  items: BigUint64Array;
  /** Numbers from `kindOf`. */
  kinds: Uint16Array;
  /** Finite, at most 1e6 in size. Default: the kinds'. */
  weights?: Float32Array;
  /** Milliseconds, 1990-01-01 … now + 24 h. Default now. */
  at?: Float64Array;
  /** Without it the signals are local only. */
  community?: Id;
}

/** What to rank, for whom. */
export interface Query {
  /** For whom. */
  user: Id;
  /** Blend in this community's aggregates while the user is a member of it. */
  community?: Id;
  /** Blend in this cohort's aggregates. */
  cohort?: Id;
  /** Rank only these, as far as they are known. Default: all known items. */
  candidates?: Iterable<Id>;
  /** Rank all but these. Default: none. */
  exclude?: Iterable<Id>;
  /** Default false: items already seen are left out. */
  includeSeen?: boolean;
  /** Default 20. 0 … any, `Infinity` for all; never more rows than there are. */
  limit?: number;
  /** How many rows to pass over. An integer ≥ 0, default 0. */
  offset?: number;
  /** Rank as of this time, any finite one; pin it to page without gaps. Default now. */
  at?: Time;
  /** Spread over categories and creators, 0 … 1. Default 0. */
  diversity?: number;
}
