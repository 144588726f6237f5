/// <reference lib="esnext.disposable" preserve="true" />
// The public types. Names, shapes and meanings here are the contract with users; rule numbers (R1 …) are those of
// docs/promises.md. Wherever a call can fail it throws a TidegateError and has changed nothing (R8).
import type {
  CommunitySignal,
  Id,
  Item,
  KindName,
  LeaveMode,
  LocalSignal,
  Query,
  SharePolicy,
  Signal,
  SignalBatch,
} from "./inputs.js";
import type {
  BatchOutcome,
  Change,
  CommunityOutcome,
  ExportedEvents,
  ImportReport,
  LayerReceipt,
  LayerStatus,
  LeaveReceipt,
  Membership,
  Outcome,
  Profile,
  QueryResult,
  Stats,
} from "./results.js";

export type * from "./inputs.js";
export type * from "./results.js";

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
  memberships(user?: Id): readonly Membership[];
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
  cohorts(user: Id): readonly string[];

  /**
   * Records a signal: always in the local profile (R2), and in the community where the gate allows (R1).
   * @throws InvalidId, InvalidTimestamp, InvalidWeight, InvalidArgument, UnknownKind
   */
  signal(signal: LocalSignal): "Local";
  signal(signal: CommunitySignal): CommunityOutcome;
  signal(signal: Signal): Outcome;
  /**
   * Many signals of one user in one call. Arrays of equal length; on bad input nothing is recorded.
   * `recorded` and `gated` count the community part: both are 0 where no community is named.
   * @throws InvalidId, InvalidTimestamp, InvalidWeight, InvalidArgument, UnknownKind
   */
  signalBatch(batch: SignalBatch): BatchOutcome;
  /** The 64-bit id behind any Id, for the typed arrays of `signalBatch` (R16). @throws InvalidId */
  idOf(id: Id): bigint;
  /** The number of a kind, for the typed arrays of `signalBatch`. @throws InvalidArgument, UnknownKind */
  kindOf(kind: KindName): number;

  /** The best items for a user. Changes nothing (R14). @throws InvalidId, InvalidTimestamp, InvalidArgument */
  query(query: Query): QueryResult;
  /** What this device knows of a user. Changes nothing (R14). @throws InvalidId */
  profile(user: Id): Profile;
  /** Leaves the user's memberships, then forgets all that is local about them (R18). @throws InvalidId */
  forgetUser(user: Id): readonly LeaveReceipt[];

  /** Canonical bytes of the folded log (R13); flush first to have what is pending in it too. A copy: never a view into
   *  WebAssembly memory. */
  snapshot(): Uint8Array<ArrayBuffer>;
  /**
   * Community events for other devices, of all communities or those asked for; with `since`, only those after that cursor.
   * What is appended to the log only: flush first to have what is pending in it too. Nothing of a leaver but the leave, and
   * nothing that is local (R12). Empty without `OpenOptions.outbox`.
   * @throws InvalidId, InvalidArgument
   */
  exportEvents(options?: { communities?: Iterable<Id>; since?: string }): ExportedEvents;
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
