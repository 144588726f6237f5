// How what a call did becomes lasting. There are two ways: memory.ts commits at once, flush.ts through a store.

/** Makes the core's pending events canonical. */
export interface Writer {
  readonly persistent: boolean;
  /** How many rows the log has had. */
  readonly position: number;
  /** A call applied events that may wait a little. */
  changed(): void;
  /** A call applied events that must not wait (R10); settles when they are stored. Nobody needs to listen. */
  urgent(): Promise<void>;
  /** Something was forgotten: what is stored of it goes with the next compaction, which is due now (R18). */
  forgot(): void;
  /** Settles when all that was applied before the call is stored. */
  flush(): Promise<void>;
  /** Flushes, then lets go of the store. */
  close(): Promise<void>;
}
