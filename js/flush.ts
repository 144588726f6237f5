// The write loop: one ordered log in a store, which this tab appends its pending events to.
//
// A *flush* is one transaction. It reads the rows that other tabs appended, *catches up* with them (the core rebases the
// pending events on top), and appends the pending events as one row. Only when the transaction is complete are they
// committed; until then they stay pending, and a failed flush is tried again. A *compaction* replaces the rows by a snapshot.
import type { Core, Handle } from "./core.js";
import { TidegateError } from "./errors.js";
import type { Store, Stored } from "./store.js";
import type { Change } from "./types.js";
import type { Writer } from "./writer.js";

/** A log is not compacted while it is smaller than this, in bytes. */
const SMALL_LOG = 65_536;
/** After a failure the next try comes later each time, up to this many milliseconds. */
const MAX_RETRY_DELAY = 60_000;

/** What the loop needs besides the core and its store. */
export interface FlushSettings {
  /** How long pending signals may wait, in milliseconds. */
  flushDelay: number;
  onError: (error: TidegateError) => void;
  /** Tells listeners what other tabs did. */
  tell: (changes: readonly Change[]) => void;
}

/** A row on its way into the log. */
interface Attempt {
  row: Uint8Array;
  /** How many pending events it holds. */
  events: number;
}

/** See the top of the file. */
export class LogWriter implements Writer {
  readonly persistent: boolean;
  readonly #handle: Handle;
  readonly #store: Store;
  readonly #settings: FlushSettings;
  // Names this tab's rows, so that it knows its own when it finds them in the log.
  readonly #tab = crypto.getRandomValues(new BigUint64Array(1))[0] as bigint;
  #rowNumber = 0;
  #position: number;
  #logBytes: number;
  #snapshotBytes: number;

  #timer: ReturnType<typeof setTimeout> | undefined;
  #retries = 0;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  #compacting: Promise<void> | undefined;
  #compactionDue = false;
  // A strict flush is owed: an urgent change is pending, or somebody asked.
  #strict = false;
  // Something was stored that need not be on disk yet.
  #relaxed = false;
  // The last row whose transaction did not say that it is complete. It may be stored all the same.
  #attempt: Attempt | undefined;
  #closed = false;

  constructor(handle: Handle, store: Store, stored: Stored, settings: FlushSettings) {
    this.persistent = store.persistent;
    this.#handle = handle;
    this.#store = store;
    this.#settings = settings;
    this.#position = stored.position + stored.rows.length;
    this.#logBytes = byteLength(stored.rows);
    this.#snapshotBytes = stored.snapshot.length;
  }

  get position(): number {
    return this.#position;
  }

  changed(): void {
    this.#schedule(this.#settings.flushDelay);
  }

  urgent(): Promise<void> {
    const stored = this.flush();
    stored.catch(this.#settings.onError);
    return stored;
  }

  forgot(): void {
    this.#compactionDue = true;
  }

  flush(): Promise<void> {
    this.#strict = true;
    return this.#enqueue();
  }

  async close(): Promise<void> {
    try {
      await this.flush();
      await this.#compacting;
    } finally {
      this.stop();
    }
  }

  /** Lets go of the store without a flush. */
  stop(): void {
    this.#closed = true;
    this.#cancelTimer();
    this.#store.close();
  }

  #schedule(delay: number): void {
    if (this.#timer !== undefined || this.#closed) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#enqueue().catch(this.#settings.onError);
    }, delay);
    // A process is not kept alive by what it has yet to write; `flush` and `close` are.
    (this.#timer as { unref?: () => void }).unref?.();
  }

  #cancelTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  // One transaction at a time. A flush that is asked for while one runs begins after it, together with all that are asked
  // for meanwhile; the running one may have taken its row already.
  #enqueue(): Promise<void> {
    if (this.#next !== undefined) return this.#next;
    if (this.#running === undefined) return this.#begin();
    this.#next = this.#running
      .catch(() => {})
      .then(() => {
        this.#next = undefined;
        return this.#begin();
      });
    return this.#next;
  }

  #begin(): Promise<void> {
    this.#cancelTimer();
    this.#running = this.#write().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #write(): Promise<void> {
    const strict = this.#strict;
    const idle = this.#handle.run((core) => core.pending()) === 0;
    this.#strict = false;
    if (idle && !(strict && this.#relaxed)) return;
    const news: Change[] = [];
    try {
      const step = (rows: Uint8Array[]): Uint8Array | null => this.#step(rows, news);
      await this.#store.transact(this.#position, step, strict ? "strict" : "relaxed");
      this.#committed(strict);
    } catch (error) {
      this.#failed(error, strict);
      throw error;
    } finally {
      this.#settings.tell(news);
    }
    this.#compact();
  }

  // Inside the transaction, synchronous.
  #step(rows: Uint8Array[], news: Change[]): Uint8Array | null {
    return this.#handle.run((core) => {
      const foreign = this.#withoutOwnRow(core, rows);
      if (foreign.length > 0) {
        const events = core.catchUp(foreign);
        news.push(...core.takeChanges(), { type: "caughtUp", events });
        this.#position += foreign.length;
        this.#logBytes += byteLength(foreign);
      }
      const events = core.pending();
      if (events === 0) return null;
      this.#attempt = { row: core.pendingRow(this.#tab, this.#rowNumber++), events };
      return this.#attempt.row;
    });
  }

  // A transaction can be complete although nobody said so. Then the row is the first after the position that this tab had.
  #withoutOwnRow(core: Core, rows: Uint8Array[]): Uint8Array[] {
    const attempt = this.#attempt;
    this.#attempt = undefined;
    if (attempt === undefined || rows[0] === undefined || !sameBytes(rows[0], attempt.row)) return rows;
    this.#append(core, attempt);
    return rows.slice(1);
  }

  #append(core: Core, { row, events }: Attempt): void {
    core.commit(events);
    this.#position++;
    this.#logBytes += row.length;
  }

  #committed(strict: boolean): void {
    const attempt = this.#attempt;
    this.#attempt = undefined;
    this.#retries = 0;
    this.#relaxed = !strict;
    if (attempt !== undefined) this.#handle.run((core) => this.#append(core, attempt));
    // What was applied since the row was made has a timer of its own, or a flush that waits.
  }

  #failed(error: unknown, strict: boolean): void {
    this.#strict ||= strict;
    if (error instanceof TidegateError && error.code === "Poisoned") return;
    this.#schedule(Math.min(Math.max(this.#settings.flushDelay, 100) * 2 ** this.#retries++, MAX_RETRY_DELAY));
  }

  // By one tab; the snapshot is made beforehand and holds what is folded, not what is pending.
  #compact(): void {
    const heavy = this.#logBytes > Math.max(this.#snapshotBytes, SMALL_LOG);
    if (this.#compacting !== undefined || !(heavy || this.#compactionDue)) return;
    this.#compactionDue = false;
    const snapshot = this.#handle.run((core) => core.snapshot());
    const rows = this.#logBytes;
    this.#compacting = this.#store
      .compact(this.#position, snapshot)
      .then(() => {
        this.#logBytes -= rows;
        this.#snapshotBytes = snapshot.length;
      })
      .catch(this.#settings.onError)
      .finally(() => {
        this.#compacting = undefined;
      });
  }
}

function byteLength(rows: readonly Uint8Array[]): number {
  return rows.reduce((sum, row) => sum + row.length, 0);
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
