/// <reference lib="esnext.disposable" preserve="true" />
// The public types. Names, shapes and meanings here are the contract with users; rule numbers (R1 …) are those of
// docs/promises.md. Wherever a call can fail it throws a TidegateError and has changed nothing (R8).
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
   * Kinds of signal, added to or overriding the default ones; frozen into the data (R19). What is left out of a kind that
   * exists stays as it is. A half-life or role other than the stored one is `SchemaMismatch`; a weight other than the
   * stored one holds for this handle.
   *
   * Default kinds: impression 0 seen · view 1 seen · click 2 seen · like 4 seen · save 4 · share 6 · skip −1 seen ·
   * dislike −4 seen · hide 0 hide. Half-life 30 days for impression, view, click and skip; 180 days for the others.
   */
  signals?: Record<string, SignalKind>;
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
  /** The item counts as seen. */
  seen?: boolean;
  /** The item is hidden for this user from now on (a hard negative). */
  hide?: boolean;
}

/**
 * An open database. Calls that read or change state are synchronous; storage follows in the background.
 * Every call can throw `Closed` after `close()` and `Poisoned` after a fault inside WebAssembly.
 */
export interface Tidegate {
  /** The database's name. */
  readonly name: string;
  /** Whether what is flushed outlives this process. */
  readonly persistent: boolean;
  /** Whether `close()` was called. */
  readonly closed: boolean;

  /**
   * Adds items or replaces their features. All or nothing; an identical item is no event (R20).
   * @throws InvalidId, InvalidTimestamp, InvalidArgument
   */
  upsertItems(items: Iterable<Item>): void;
  /**
   * Drops items' features and leaves the items out of results until their next upsert; facts about them stay (R20).
   * @throws InvalidId, InvalidArgument
   */
  removeItems(ids: Iterable<Id>): void;

  /**
   * Joins; returns the membership epoch. While a member: the current epoch, and a given policy replaces the old one. After a
   * leave it is a rejoin (R4).
   * @throws InvalidId, InvalidArgument, UnknownKind, EpochExhausted
   */
  join(user: Id, community: Id, policy?: SharePolicy): number;
  /**
   * Leaves: no contribution counts after this returns (R3, R10). Leaving again changes nothing. `"Purge"` is not built yet.
   * @throws InvalidId, InvalidArgument, NotFound without a membership, Unsupported for `"Purge"`
   */
  leave(user: Id, community: Id, options?: { mode?: LeaveMode }): LeaveReceipt;
  /**
   * Rejoins under the next epoch and returns it; while a member as `join` (R4).
   * @throws InvalidId, InvalidArgument, UnknownKind, NotFound, EpochExhausted
   */
  rejoin(user: Id, community: Id, policy?: SharePolicy): number;
  /** The membership row, or null. @throws InvalidId */
  membership(user: Id, community: Id): Membership | null;
  /** All membership rows, or those of one user, by user and community. @throws InvalidId */
  memberships(user?: Id): Membership[];
  /** The epoch of the membership row, or null where there is none. @throws InvalidId */
  membershipEpoch(user: Id, community: Id): number | null;

  /** Leaves the user-wide switch over every community and cohort. Changes nothing while it is left. @throws InvalidId */
  leaveCommunityLayer(user: Id): LayerReceipt;
  /** Opens the user-wide switch again. `leftAt` is kept. @throws InvalidId */
  rejoinCommunityLayer(user: Id): LayerReceipt;
  /** Active, with `leftAt` null, where the user was never seen. @throws InvalidId */
  communityLayerStatus(user: Id): LayerStatus;

  /** Sets the cohorts that this user's signals are attributed to. @throws InvalidId, InvalidArgument */
  setCohorts(user: Id, cohorts: Iterable<Id>): void;
  /** The user's cohorts, by numeric id. @throws InvalidId */
  cohorts(user: Id): string[];

  /**
   * Records a signal: always in the local profile (R2), and in the community where the gate allows (R1).
   * @throws InvalidId, InvalidTimestamp, InvalidWeight, InvalidArgument, UnknownKind
   */
  signal(signal: Signal): Outcome;
  /**
   * Many signals of one user in one call. Arrays of equal length; on bad input nothing is recorded.
   * `recorded` and `gated` count the community part: both are 0 where no community is named.
   * @throws InvalidId, InvalidTimestamp, InvalidWeight, InvalidArgument, UnknownKind
   */
  signalBatch(batch: SignalBatch): { recorded: number; gated: number };
  /** The 64-bit id behind any Id, for the typed arrays of `signalBatch` (R16). @throws InvalidId */
  idOf(id: Id): bigint;
  /** The number of a kind, for the typed arrays of `signalBatch`. @throws InvalidArgument, UnknownKind */
  kindOf(kind: string): number;

  /** The best items for a user. Changes nothing (R14). @throws InvalidId, InvalidTimestamp, InvalidArgument */
  query(query: Query): QueryResult;
  /** What this device knows of a user. Changes nothing (R14). @throws InvalidId */
  profile(user: Id): Profile;
  /** Leaves the user's memberships, then forgets all that is local about them (R18). @throws InvalidId */
  forgetUser(user: Id): LeaveReceipt[];

  /** Canonical bytes of the folded log (R13); flush first to have what is pending in it too. A copy: never a view into
   *  WebAssembly memory. */
  snapshot(): Uint8Array;
  /**
   * Community events for other devices, of all communities or those asked for; with `since`, only those after that cursor.
   * What is appended to the log only: flush first to have what is pending in it too. Nothing of a leaver but the leave, and
   * nothing that is local (R12). Empty without `OpenOptions.outbox`.
   * @throws InvalidId, InvalidArgument
   */
  exportEvents(options?: { communities?: Iterable<Id>; since?: string }): { bytes: Uint8Array; cursor: string };
  /**
   * The host has delivered everything up to `cursor`: it is kept no longer.
   * @throws InvalidArgument for what is no cursor of this database
   */
  acknowledge(cursor: string): void;
  /**
   * Takes in another device's events: each counts once, has no local effects, and may close gates but open none (R7, R17).
   * The bytes are read during the call only. All or nothing where they cannot be read; else each event has its outcome
   * counted. Hosts authenticate senders.
   * @throws InvalidArgument, CorruptEvents, UnsupportedVersion, SequenceGap, InvalidId where a name has another one's hash
   */
  importEvents(bytes: Uint8Array): ImportReport;

  /**
   * Settles when all that was done before the call is stored (transaction complete, strict durability). Rejects with
   * `QuotaExceeded`, `Blocked` or `Storage`; what is unwritten then stays pending, and the next flush tries again.
   */
  flush(): Promise<void>;
  /** Flushes and releases everything. Twice is fine; other calls after it throw `Closed`. Rejects as `flush`, and has
   *  released everything then too. */
  close(): Promise<void>;
  /** `close()`, where the platform has `Symbol.asyncDispose`. */
  [Symbol.asyncDispose](): Promise<void>;
  /** Counters. */
  stats(): Stats;
  /**
   * Listens; returns the function that stops listening. Called once per real change, own calls included, after the state
   * has changed; a listener may call back in, and what it throws goes to `onError`.
   * @throws InvalidArgument
   */
  on(event: "change", listener: (change: Change) => void): () => void;
}

/** An item and its features. */
export interface Item {
  id: Id;
  /** Length = `OpenOptions.dimensions`; each finite as a 32-bit float. */
  vector?: ArrayLike<number>;
  /** Non-empty, at most 1 KiB as UTF-8 each. Repeats and order do not matter. */
  categories?: string[];
  creator?: Id;
  /** Any finite time. Newer items rank a little higher. */
  createdAt?: Time;
}

/** What a member shares with a community. */
export interface SharePolicy {
  /** 0 … 65535, default 1. */
  version?: number;
  /** Kinds that may be shared. Default `"All"`. */
  share?: "All" | "None" | string[];
}

/** How to leave. `"StopForward"` (default): what already counted stays. `"Purge"` is not built yet. */
export type LeaveMode = "StopForward" | "Purge";
/** The state of a membership row. Only Joined and Rejoined contribute. */
export type MembershipState = "Joined" | "LeavingStopForward" | "Left" | "Rejoined";

/** A membership row. */
export interface Membership {
  user: string;
  community: string;
  state: MembershipState;
  /** The membership epoch: 0 at first, one more with every rejoin. */
  epoch: number;
  sharePolicyVersion: number;
  /** Milliseconds; the first join, never changed. */
  joinedAt: number;
  /** Milliseconds; null while contributions flow. */
  stopForwardAt: number | null;
  /** Whether this database's signals count in the community now (R1, R17). */
  contributing: boolean;
}

/** What `leave` did. The gate is closed when the receipt exists. */
export interface LeaveReceipt {
  user: string;
  community: string;
  epoch: number;
  /** Milliseconds; of several leaves of one epoch the first. */
  stopForwardAt: number;
  /** Settles when storage has it; rejects with a TidegateError if it cannot. The gate is closed either way (R10). Not
   *  enumerable, so that a receipt can be cloned or turned into JSON. */
  durable: Promise<void>;
}

/** The user-wide switch. */
export interface LayerStatus {
  user: string;
  status: "Active" | "Left";
  /** Milliseconds; the last time of leaving, kept after a rejoin. */
  leftAt: number | null;
}

/** What a change of the user-wide switch led to. */
export interface LayerReceipt extends LayerStatus {
  /** As in LeaveReceipt. */
  durable: Promise<void>;
}

/** One thing that a user did with an item. */
export interface Signal {
  user: Id;
  item: Id;
  /** A default kind or one of `OpenOptions.signals`. */
  kind: string;
  /** Finite, at most 1e6 in size. Default: the kind's. */
  weight?: number;
  /** 1990-01-01 … now + 24 h. Default now (R15). */
  at?: Time;
  /** Without it the signal is local only. */
  community?: Id;
  /** Who writes on the user's behalf; kept in provenance (R5). */
  agent?: Id;
}

/** What became of the community part of a signal (R1). Local effects happened in every case. */
export type Outcome =
  | "Local" // no community was named
  | "Recorded"
  | "NotMember"
  | "Left" // stop-forwarded or left
  | "LayerLeft"
  | "PolicyExcluded";

/** Many signals of one user. The arrays are read during the call only. */
export interface SignalBatch {
  user: Id;
  /** Ids from `idOf`. */
  items: BigUint64Array;
  /** Numbers from `kindOf`. */
  kinds: Uint16Array;
  /** Finite, at most 1e6 in size. Default: the kinds'. */
  weights?: Float32Array;
  /** Milliseconds, 1990-01-01 … now + 24 h. Default now. */
  at?: Float64Array;
  community?: Id;
}

/** What to rank, for whom. */
export interface Query {
  user: Id;
  /** Blend in this community's aggregates while the user is a member of it. */
  community?: Id;
  /** Blend in this cohort's aggregates. */
  cohort?: Id;
  /** Rank only these, as far as they are known. Default: all known items. */
  candidates?: Iterable<Id>;
  exclude?: Iterable<Id>;
  /** Default false: items already seen are left out. */
  includeSeen?: boolean;
  /** Default 20. 0 … any, `Infinity` for all; never more rows than there are. */
  limit?: number;
  /** Default 0. */
  offset?: number;
  /** Rank as of this time, any finite one; pin it to page without gaps. Default now. */
  at?: Time;
  /** Spread over categories and creators, 0 … 1. Default 0. */
  diversity?: number;
}

/** A ranking: highest score first, equal scores by ascending numeric id (R14). */
export interface QueryResult {
  items: RankedItem[];
  policyMetadata: PolicyMetadata;
  stats: QueryStats;
}

/** An item's place in a ranking. */
export interface RankedItem {
  id: string;
  /** Finite. */
  score: number;
  /** The parts; they sum to the score. */
  local: number;
  community: number;
  cohort: number;
}

/** Under which terms the community was asked. */
export interface PolicyMetadata {
  /** The row's epoch; null for purely local queries and where there is no membership. */
  membershipEpoch: number | null;
  membershipState: MembershipState | null;
  sharePolicyVersion: number | null;
}

/** How a ranking came about. */
export interface QueryStats {
  membershipEpoch: number | null;
  /** Items considered, before hidden and seen ones were left out. */
  candidates: number;
  /** Left out as seen. */
  seen: number;
  /** Left out as hidden. */
  hidden: number;
  durationMs: number;
}

/** What this device knows of a user. */
export interface Profile {
  user: string;
  /** How many signals were recorded. */
  signals: number;
  /** How many items were seen. */
  seen: number;
  /** Hidden items, by numeric id. */
  hidden: string[];
  /** Strongest first. */
  items: { id: string; score: number }[];
  categories: { name: string; score: number }[];
  creators: { id: string; score: number }[];
  /** Of length 1 in the vector space of the items; null where nothing is known. */
  preference: Float32Array | null;
}

/** What became of imported events. */
export interface ImportReport {
  /** Counted, or merged where it is a join or a leave. */
  applied: number;
  /** Taken in before, or this database's own. */
  duplicate: number;
  /** Of an earlier membership epoch (R6). */
  staleEpoch: number;
  /** Of a later membership epoch than is known here. */
  futureEpoch: number;
  /** Behind a closed gate or a left layer, or excluded by the share policy. */
  gated: number;
  /** Of somebody who is no member here. */
  notMember: number;
}

/** Counters of an open database. */
export interface Stats {
  users: number;
  items: number;
  memberships: number;
  /** Since open. */
  contributions: { recorded: number; gated: number };
  /** Events not yet stored. */
  pending: number;
  /** How many rows the log has had. */
  logPosition: number;
  /** Memory of the WebAssembly instance, shared by all databases of this page or process. */
  wasmBytes: number;
}

/** What listeners are told. */
export type Change =
  | { type: "membership"; membership: Membership }
  | { type: "layer"; status: LayerStatus }
  | { type: "caughtUp"; events: number } // other tabs' events, or rows where a snapshot stands for them
  | { type: "reset" }; // the stored data was deleted under the open database (R18)
