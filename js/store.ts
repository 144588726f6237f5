// Where bytes live: an ordered log of rows, and one snapshot that stands for all rows up to its position.
import type { TidegateError } from "./errors.js";
import type { Tombstones } from "./tombstones.js";

/** What a store holds. */
export interface Stored {
  /** The bytes that `create` or the last `compact` was given. */
  snapshot: Uint8Array;
  /** How many rows of the log the snapshot stands for. */
  position: number;
  /** The rows after the snapshot's position, in order and without gaps. */
  rows: Uint8Array[];
  /** What could not be kept of the last row, which was cut off while it was written. `onError` is told. */
  torn?: TidegateError;
}

/** What a store holds beyond a position in the log. */
export interface News {
  /** How many rows of the log the stored snapshot stands for. */
  compacted: number;
  /** The snapshot, where it stands for rows after the position: a compaction has left this tab behind. */
  snapshot: Uint8Array | null;
  /** The rows after the position; after the snapshot's, where there is a snapshot. */
  rows: Uint8Array[];
  /** With a snapshot: the fingerprint of the row right after the position, while it is known. */
  overtaken: number | undefined;
}

/** `"strict"`: on disk when the call settles. `"relaxed"`: handed to the operating system. */
export type Durability = "strict" | "relaxed";

/**
 * A place for one database. Every call is one transaction: it settles when the transaction is complete, or rejects with a
 * TidegateError (`Storage`, `QuotaExceeded`, `Blocked`, `UnsupportedVersion`) and has changed nothing. After `load` or
 * `create`, the other calls reject with `NotFound` where what was found or made then is there no more: it was deleted, or
 * something else has taken its place (R18).
 */
export interface Store {
  /** Whether what is stored outlives this process. */
  readonly persistent: boolean;
  /** Where leaves are written down before they are stored, if there is such a place (R10). */
  readonly tombstones?: Tombstones | undefined;
  /** What is stored, or null where nothing is. Forgets what an earlier call found. */
  load(): Promise<Stored | null>;
  /** Stores a first snapshot, at position 0; false, and nothing is changed, where the store is not empty. */
  create(snapshot: Uint8Array): Promise<boolean>;
  /** What is stored beyond `position`; changes nothing. */
  read(position: number): Promise<News>;
  /**
   * The write loop's one transaction: calls `step` with what is stored beyond `position`, once and inside the transaction,
   * and appends the row that it returns. With null nothing is appended; with `"strict"` all that was stored before is on disk
   * then too. What `step` throws undoes the transaction and is what the call rejects with.
   */
  transact(position: number, step: (news: News) => Uint8Array | null, durability: Durability): Promise<void>;
  /** Compaction: replaces the snapshot, and deletes the rows up to its position. Changes nothing where the stored snapshot
   *  is as young, nor where another tab is at it: then it answers false. */
  compact(position: number, snapshot: Uint8Array): Promise<boolean>;
  /** Moves all that is stored aside, where it stays (R9), so that the store is empty. */
  quarantine(): Promise<void>;
  /** Where another version of this library may take the store over: `flush` is called before, and settles when what is
   *  pending is stored. */
  onYield?(flush: () => Promise<void>): void;
  /** Lets go of the store; what is under way may still complete. */
  close(): void;
}

/** Whether an option is a store. */
export function isStore(value: unknown): value is Store {
  return typeof value === "object" && value !== null && typeof (value as Partial<Store>).transact === "function";
}
