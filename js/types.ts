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
 * Every call can throw `Closed` after `close()` and `Poisoned` after a fault inside WebAssembly; both change nothing.
 *
 * In the examples `tide` is a database as {@link open} gives it, with the films `"alien"` and `"heat"` in it, and
 * `// → value` says what comes out. `npm test` runs them.
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
   * @example
   * ```js
   * tide.upsertItems([{ id: "brick", categories: ["crime"], creator: "johnson", createdAt: new Date("2006-03-31") }]);
   * tide.stats().items; // → 3
   * ```
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
   * @example
   * ```js
   * tide.join("ada", "film-club", { share: ["like", "save"] }); // → 0
   * tide.signal({ user: "ada", item: "alien", kind: "view", community: "film-club" }); // → "PolicyExcluded"
   * ```
   */
  join(user: Id, community: Id, policy?: SharePolicy): number;
  /**
   * Leaves: no contribution counts after this returns (R3, R10). Leaving again changes nothing. `"Purge"` is not built yet.
   * @throws InvalidId, InvalidArgument, NotFound without a membership, Unsupported for `"Purge"`
   * @example
   * ```js
   * tide.join("ada", "film-club");
   * const { durable } = tide.leave("ada", "film-club"); // the gate is closed
   * tide.signal({ user: "ada", item: "heat", kind: "like", community: "film-club" }); // → "Left"
   * await durable; // storage has it
   * tide.leave("ada", "book-club"); // → throws NotFound
   * ```
   */
  leave(user: Id, community: Id, options?: { mode?: LeaveMode }): LeaveReceipt;
  /**
   * Rejoins under the next epoch and returns it; while a member as `join` (R4).
   * @throws InvalidId, InvalidArgument, UnknownKind, NotFound, EpochExhausted
   * @example
   * ```js
   * tide.join("ada", "film-club"); // → 0
   * tide.leave("ada", "film-club");
   * tide.rejoin("ada", "film-club"); // → 1
   * ```
   */
  rejoin(user: Id, community: Id, policy?: SharePolicy): number;
  /** The membership row, or null. @throws InvalidId */
  membership(user: Id, community: Id): Membership | null;
  /** All membership rows, or those of one user, by user and community. @throws InvalidId */
  memberships(user?: Id): readonly Membership[];
  /** The epoch of the membership row, 0 … 2^32 − 1, or null where there is none. @throws InvalidId */
  membershipEpoch(user: Id, community: Id): number | null;

  /**
   * Leaves the user-wide switch over every community and cohort. Changes nothing while it is left.
   * @throws InvalidId
   * @example
   * ```js
   * tide.join("ada", "film-club");
   * tide.leaveCommunityLayer("ada");
   * tide.signal({ user: "ada", item: "heat", kind: "like", community: "film-club" }); // → "LayerLeft"
   * tide.communityLayerStatus("ada").status; // → "Left"
   * tide.rejoinCommunityLayer("ada");
   * tide.signal({ user: "ada", item: "heat", kind: "like", community: "film-club" }); // → "Recorded"
   * ```
   */
  leaveCommunityLayer(user: Id): LayerReceipt;
  /** Opens the user-wide switch again. `leftAt` is kept. @throws InvalidId */
  rejoinCommunityLayer(user: Id): LayerReceipt;
  /** Active, with `leftAt` null, where the user was never seen. @throws InvalidId */
  communityLayerStatus(user: Id): LayerStatus;

  /**
   * Sets the cohorts that this user's signals are attributed to, from the next signal on.
   * @throws InvalidId, InvalidArgument
   * @example
   * ```js
   * tide.setCohorts("ada", ["lisbon"]);
   * tide.signal({ user: "ada", item: "heat", kind: "like" });
   * tide.query({ user: "bob", cohort: "lisbon", limit: 1 }).items[0]?.id; // → "heat"
   * ```
   */
  setCohorts(user: Id, cohorts: Iterable<Id>): void;
  /** The user's cohorts, by numeric id. @throws InvalidId */
  cohorts(user: Id): readonly string[];

  /**
   * Records a signal in the local profile (R2); it names no community, so it counts in none.
   * @throws InvalidId, InvalidTimestamp, InvalidWeight, InvalidArgument, UnknownKind
   * @example
   * ```js
   * tide.signal({ user: "ada", item: "alien", kind: "like" }); // → "Local"
   * tide.signal({ user: "ada", item: "alien", kind: "adore" }); // → throws UnknownKind
   * ```
   */
  signal(signal: LocalSignal): "Local";
  /**
   * Records a signal: always in the local profile (R2), and in the community where the gate allows (R1).
   * @throws InvalidId, InvalidTimestamp, InvalidWeight, InvalidArgument, UnknownKind
   * @example
   * ```js
   * tide.signal({ user: "ada", item: "alien", kind: "like", community: "film-club" }); // → "NotMember"
   * tide.join("ada", "film-club");
   * tide.signal({ user: "ada", item: "alien", kind: "like", community: "film-club" }); // → "Recorded"
   * tide.profile("ada").signals; // → 2, both
   * ```
   */
  signal(signal: CommunitySignal): CommunityOutcome;
  /**
   * Records a signal of which it is not known whether it names a community.
   * @throws InvalidId, InvalidTimestamp, InvalidWeight, InvalidArgument, UnknownKind
   */
  signal(signal: Signal): Outcome;
  /**
   * Many signals of one user in one call. Arrays of equal length; on bad input nothing is recorded.
   * `recorded` and `gated` count the community part: both are 0 where no community is named.
   * @throws InvalidId, InvalidTimestamp, InvalidWeight, InvalidArgument, UnknownKind
   * @example
   * ```js
   * const items = BigUint64Array.from(["alien", "heat"], (id) => tide.idOf(id));
   * const kinds = Uint16Array.of(tide.kindOf("view"), tide.kindOf("like"));
   * tide.signalBatch({ user: "ada", items, kinds }); // → { recorded: 0, gated: 0 }
   * tide.profile("ada").signals; // → 2
   * ```
   */
  signalBatch(batch: SignalBatch): BatchOutcome;
  /** The 64-bit id behind any Id, for the typed arrays of `signalBatch` (R16). @throws InvalidId */
  idOf(id: Id): bigint;
  /** The number of a kind, for the typed arrays of `signalBatch`. @throws InvalidArgument, UnknownKind */
  kindOf(kind: KindName): number;

  /**
   * The best items for a user. Changes nothing (R14).
   * @throws InvalidId, InvalidTimestamp, InvalidArgument
   * @example
   * ```js
   * tide.upsertItems([{ id: "brick", categories: ["crime"] }]);
   * tide.signal({ user: "ada", item: "heat", kind: "like" });
   * const { items, stats } = tide.query({ user: "ada", limit: 10 });
   * items.map(({ id }) => id); // → ["brick", "alien"]
   * stats.seen; // → 1, which was left out
   * ```
   */
  query(query: Query): QueryResult;
  /**
   * What this device knows of a user. Changes nothing (R14).
   * @throws InvalidId
   * @example
   * ```js
   * tide.signal({ user: "ada", item: "heat", kind: "like" });
   * tide.profile("ada").categories[0]?.name; // → "crime"
   * ```
   */
  profile(user: Id): Profile;
  /**
   * Leaves the user's memberships, then forgets all that is local about them (R18).
   * @throws InvalidId
   * @example
   * ```js
   * tide.join("ada", "film-club");
   * tide.signal({ user: "ada", item: "heat", kind: "like", community: "film-club" });
   * await Promise.all(tide.forgetUser("ada").map(({ durable }) => durable));
   * tide.profile("ada").signals; // → 0
   * tide.membership("ada", "film-club")?.state; // → "Left"
   * ```
   */
  forgetUser(user: Id): readonly LeaveReceipt[];

  /**
   * Canonical bytes of the folded log (R13); flush first to have what is pending in it too. A copy: never a view into
   * WebAssembly memory. For `restore`.
   */
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
   * @example
   * ```js
   * const other = await open({ name: "other", storage: "memory" });
   * tide.join("ada", "film-club");
   * tide.signal({ user: "ada", item: "heat", kind: "like", community: "film-club" });
   * await tide.flush();
   * const { bytes, cursor } = tide.exportEvents(); // `tide` was opened with `outbox: true`
   * other.importEvents(bytes).applied; // → 2, a join and a contribution
   * other.importEvents(bytes).duplicate; // → 2
   * other.profile("ada").signals; // → 0
   * tide.acknowledge(cursor);
   * ```
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
   * @example
   * ```js
   * const told = [];
   * const stop = tide.on("change", (change) => told.push(change.type));
   * tide.join("ada", "film-club");
   * tide.join("ada", "film-club"); // no change
   * stop();
   * told; // → ["membership"]
   * ```
   */
  on(event: "change", listener: (change: Change) => void): () => void;
}
