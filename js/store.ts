// Where bytes live: an ordered log of rows, and one snapshot that stands for all rows up to its position.

/** What a store holds. */
export interface Stored {
  snapshot: Uint8Array;
  /** How many rows of the log the snapshot stands for. */
  position: number;
  /** The rows after the snapshot's position, in order and without gaps. */
  rows: Uint8Array[];
}

/** `"strict"`: on disk when the call settles. `"relaxed"`: handed to the operating system. */
export type Durability = "strict" | "relaxed";

/**
 * A place for one database. Every call is one transaction: it settles when the transaction is complete, or rejects with a
 * TidegateError (`Storage`, `QuotaExceeded`, `Blocked`, `UnsupportedVersion`) and has changed nothing.
 */
export interface Store {
  /** Whether what is stored outlives this process. */
  readonly persistent: boolean;
  /** What is stored, or null where nothing is. */
  load(): Promise<Stored | null>;
  /** Stores a first snapshot, at position 0; false, and nothing is changed, where the store is not empty. */
  create(snapshot: Uint8Array): Promise<boolean>;
  /**
   * The write loop's one transaction: calls `step` with the rows after `position`, once and inside the transaction, and
   * appends the row that it returns. With null nothing is appended; with `"strict"` all that was stored before is on disk
   * then too. What `step` throws undoes the transaction and is what the call rejects with.
   */
  transact(position: number, step: (rows: Uint8Array[]) => Uint8Array | null, durability: Durability): Promise<void>;
  /** Compaction: replaces the snapshot, and deletes the rows up to its position. Changes nothing where the stored snapshot
   *  is as young. */
  compact(position: number, snapshot: Uint8Array): Promise<void>;
  /** Moves all that is stored aside, where it stays (R9), so that the store is empty. */
  quarantine(): Promise<void>;
  /** Lets go of the store; what is under way may still complete. */
  close(): void;
}

/** Whether an option is a store. */
export function isStore(value: unknown): value is Store {
  return typeof value === "object" && value !== null && typeof (value as Partial<Store>).transact === "function";
}
