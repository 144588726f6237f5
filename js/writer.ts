// How what a call did becomes lasting. There are two ways: memory.ts commits at once, flush.ts through a store.

import type { Tombstone } from "./tombstones.js";

/** Makes the core's pending events canonical. */
export interface Writer {
  readonly persistent: boolean;
  /** How many rows the log has had. */
  readonly position: number;
  /** A call applied events that may wait a little. */
  changed(): void;
  /** The same of signals alone, which come by here more often than anything else. */
  signalled(): void;
  /** A call applied events that must not wait (R10); settles when they are stored. Nobody needs to listen. */
  urgent(): Promise<void>;
  /** Users left: writes it down before the call returns, where there is a place for it (R10). */
  left(leaves: readonly Omit<Tombstone, "tab">[]): void;
  /** The gate of a membership, or of the layer, is about to be opened: a leave that is written down comes before that. */
  recall(user: bigint, community: bigint | null): void;
  /** Closes all gates for which a leave is written down. False where another tab's leave is stored that is unknown here. */
  honour(): boolean;
  /** Settles when all that was applied before the call is stored. */
  flush(): Promise<void>;
  /** Flushes, then lets go of the store. */
  close(): Promise<void>;
}
