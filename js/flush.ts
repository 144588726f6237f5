// The write loop: one ordered log in a store, which this tab appends its pending events to.
//
// A *flush* is one transaction. It reads the rows that other tabs appended, *catches up* with them (the core rebases the
// pending events on top), and appends the pending events as one row. Only when the transaction is complete are they
// committed; until then they stay pending, and a failed flush is tried again. A *compaction* replaces the rows by a snapshot.
// Where the stored data was deleted, the loop *starts over* with what the store holds then (R18).
import type { Core, Handle } from "./core.js";
import { TidegateError } from "./errors.js";
import { fingerprint } from "./fingerprint.js";
import { Leaves } from "./leaves.js";
import { LogWeight } from "./log-weight.js";
import { random64 } from "./random.js";
import type { News, Store, Stored } from "./store.js";
import type { TabEvents, TabLink } from "./tabs.js";
import { PageTombstones, type Tombstone } from "./tombstones.js";
import type { Change } from "./types.js";
import type { Writer } from "./writer.js";

/** After a failure the next try comes later each time, up to this many milliseconds. */
const MAX_RETRY_DELAY = 60_000;
/** A tombstone that another tab wrote is honoured after so many milliseconds, or with the next flush. */
const TOMBSTONE_DELAY = 500;
/** A compaction that is owed and could not be done now is tried again after this many milliseconds. */
const COMPACTION_DELAY = 1_000;

/** A core, and what of the store is folded into it. */
export interface Folded {
  handle: Handle;
  stored: Stored;
}

/** What the loop needs besides the core and its store. */
export interface FlushSettings {
  /** How long pending signals may wait, in milliseconds. */
  flushDelay: number;
  onError: (error: TidegateError) => void;
  /** Tells listeners what other tabs did. */
  tell: (changes: readonly Change[]) => void;
  /** Links this tab with the others. */
  link: (events: TabEvents) => TabLink;
  /** What the store holds after its data was deleted: a new beginning, this tab's or another's. */
  startOver: () => Promise<Folded>;
  /** The core has been replaced. */
  replaced: (handle: Handle) => void;
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
  readonly #store: Store;
  readonly #settings: FlushSettings;
  readonly #leaves: Leaves;
  readonly #tabs: TabLink;
  // Names this tab's rows, so that it knows its own when it finds them in the log.
  readonly #tab = random64();
  #rowNumber = 0;
  #handle: Handle;
  #position: number;
  #weight: LogWeight;

  #timer: ReturnType<typeof setTimeout> | undefined;
  #retries = 0;
  /** Settles, and never rejects, when what is under way is done. */
  #last: Promise<void> | undefined;
  #nextFlush: Promise<void> | undefined;
  #catchingUp = false;
  #compacting: Promise<void> | undefined;
  // How many forgettings the stored snapshot stands for.
  #forgotten = 0;
  // A strict flush is owed: an urgent change is pending, or somebody asked.
  #strict = false;
  // Something was stored that need not be on disk yet.
  #relaxed = false;
  // The last row whose transaction did not say that it is complete. It may be stored all the same.
  #attempt: Attempt | undefined;
  // Tombstones whose leaves are in the log when the transaction that is under way is complete.
  #honoured: readonly Tombstone[] = [];
  #closing = false;
  #closed = false;

  constructor({ handle, stored }: Folded, store: Store, settings: FlushSettings) {
    this.persistent = store.persistent;
    this.#handle = handle;
    this.#store = store;
    this.#settings = settings;
    this.#leaves = new Leaves(store.tombstones ?? new PageTombstones(), settings.onError);
    this.#position = stored.position + stored.rows.length;
    this.#weight = new LogWeight(stored);
    store.onYield?.(() => (this.#closed ? Promise.resolve() : this.flush().catch(settings.onError)));
    this.#tabs = settings.link({ heard: () => this.#heard(), hiding: () => this.#hiding() });
  }

  /** The core, or what has taken its place. */
  get handle(): Handle {
    return this.#handle;
  }

  get position(): number {
    return this.#position;
  }

  signalled(): void {
    this.changed();
  }

  changed(): void {
    this.#schedule(this.#settings.flushDelay);
  }

  urgent(): Promise<void> {
    const stored = this.flush();
    stored.catch(this.#settings.onError);
    return stored;
  }

  left(leaves: readonly Omit<Tombstone, "tab">[]): void {
    this.#leaves.write(leaves.map((leave) => ({ ...leave, tab: this.#tab })));
  }

  recall(user: bigint, community: bigint | null): void {
    this.#handle.run((core) => this.#leaves.recall(core, user, community, this.#sent));
  }

  honour(): boolean {
    const changes: Change[] = [];
    const { honoured, ahead } = this.#handle.run((core) => {
      const before = core.pending();
      this.#leaves.honour(core, this.#sent);
      changes.push(...core.takeChanges());
      return { honoured: core.pending() > before, ahead: this.#leaves.isAhead(core, this.#position) };
    });
    if (honoured) this.urgent();
    if (ahead) this.#heard();
    this.#settings.tell(changes);
    return !ahead;
  }

  /** How many pending events are on their way into the log, or there already. */
  get #sent(): number {
    return this.#attempt?.events ?? 0;
  }

  flush(): Promise<void> {
    this.#strict = true;
    return this.#enqueue();
  }

  async close(): Promise<void> {
    this.#closing = true;
    try {
      await this.flush();
      await this.#compacting;
      // What was forgotten is gone from storage when this settles (R18).
      this.#compact();
      await this.#compacting;
    } finally {
      this.stop();
    }
  }

  /** Lets go of the store without a flush. */
  stop(): void {
    this.#closed = true;
    this.#cancelTimer();
    this.#tabs.close();
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

  // One transaction at a time; the first begins at once, because a page that is being closed gets no other turn.
  #serially(work: () => Promise<void>): Promise<void> {
    const run = this.#last === undefined ? work() : this.#last.then(work);
    const last = run
      .catch(() => {})
      .then(() => {
        if (this.#last === last) this.#last = undefined;
      });
    this.#last = last;
    return run;
  }

  // A flush that is asked for while something is under way begins after it, together with all that are asked for meanwhile;
  // the running one may have taken its row already.
  #enqueue(): Promise<void> {
    if (this.#nextFlush !== undefined) return this.#nextFlush;
    const waits = this.#last !== undefined;
    const flushed = this.#serially(() => {
      this.#nextFlush = undefined;
      this.#cancelTimer();
      return this.#write();
    });
    if (waits) this.#nextFlush = flushed;
    return flushed;
  }

  #heard(): void {
    if (this.#catchingUp || this.#closing || this.#closed) return;
    this.#catchingUp = true;
    this.#serially(() => {
      this.#catchingUp = false;
      return this.#catchUp();
    }).catch((error) => {
      // A read that closing cut short is missed by nobody.
      if (!this.#closed) this.#settings.onError(error);
    });
  }

  #hiding(): void {
    if (!this.#closed && this.#timer !== undefined) this.#enqueue().catch(this.#settings.onError);
  }

  /** Folds what other tabs appended, without writing. */
  async #catchUp(): Promise<void> {
    if (this.#closed || this.#handle.instance.poisoned) return;
    const changes: Change[] = [];
    try {
      const news = await this.#store.read(this.#position);
      this.#handle.run((core) => this.#fold(core, news, changes));
      // Whoever wrote a tombstone stores its leave itself, unless it is gone.
      if (this.#isLeft()) this.#schedule(TOMBSTONE_DELAY);
    } catch (error) {
      if (!isGone(error)) throw error;
      await this.#startOver();
    } finally {
      this.#settings.tell(changes);
    }
  }

  async #write(): Promise<void> {
    const changes: Change[] = [];
    try {
      const idle = this.#handle.run((core) => core.pending()) === 0;
      // Whether it is honoured already, only the log knows.
      const left = this.#isLeft();
      const strict = left || (this.#strict && (!idle || this.#relaxed));
      this.#strict = false;
      if (!idle || strict) await this.#transact(strict, changes);
    } catch (error) {
      if (isGone(error)) await this.#startOver();
      else throw error;
    } finally {
      this.#settings.tell(changes);
    }
    this.#compact();
  }

  #isLeft(): boolean {
    return this.#handle.run((core) => this.#leaves.read(core)).length > 0;
  }

  async #transact(strict: boolean, changes: Change[]): Promise<void> {
    try {
      const step = (news: News): Uint8Array | null => this.#step(news, changes);
      await this.#store.transact(this.#position, step, strict ? "strict" : "relaxed");
      this.#committed(strict);
    } catch (error) {
      if (!isGone(error)) this.#failed(strict, changes);
      throw error;
    }
  }

  // Inside the transaction, synchronous.
  #step(news: News, changes: Change[]): Uint8Array | null {
    return this.#handle.run((core) => {
      this.#fold(core, news, changes);
      this.#honour(core, changes);
      const events = core.pending();
      if (events === 0) return null;
      this.#attempt = { row: core.pendingRow(this.#tab, this.#rowNumber++), events };
      return this.#attempt.row;
    });
  }

  #fold(core: Core, news: News, changes: Change[]): void {
    const attempt = this.#attempt;
    this.#attempt = undefined;
    const { snapshot, compacted } = news;
    let { rows } = news;
    let events = 0;
    if (snapshot !== null) {
      // A row of this tab that the snapshot stands for must not be applied again.
      if (attempt !== undefined && fingerprint(attempt.row) === news.overtaken) core.commit(attempt.events);
      else core.rowFailed();
      // Of what a snapshot stands for only the rows can be counted.
      events += compacted - this.#position;
      changes.push(...core.reload(snapshot));
      this.#position = compacted;
      this.#weight = new LogWeight({ snapshot, position: compacted, rows: [] });
    } else if (attempt !== undefined && rows[0] !== undefined && sameBytes(rows[0], attempt.row)) {
      // The transaction was complete although nobody said so: the row is the first after the position that this tab had.
      this.#append(core, attempt);
      rows = rows.slice(1);
    } else if (attempt !== undefined) core.rowFailed();
    const before = core.forgets();
    if (rows.length > 0) events += core.catchUp(rows);
    // What was forgotten in another tab is for that one to compact.
    this.#forgotten += core.forgets() - before;
    this.#position += rows.length;
    this.#weight.add(...rows);
    this.#weight.compacted(compacted);
    if (events > 0) changes.push(...core.takeChanges(), { type: "caughtUp", events });
  }

  #honour(core: Core, changes: Change[]): void {
    this.#honoured = this.#leaves.honour(core, this.#sent);
    changes.push(...core.takeChanges());
  }

  #append(core: Core, { row, events }: Attempt): void {
    core.commit(events);
    this.#position++;
    this.#weight.add(row);
  }

  #committed(strict: boolean): void {
    const attempt = this.#attempt;
    this.#attempt = undefined;
    this.#retries = 0;
    if (attempt !== undefined) {
      this.#relaxed = !strict;
      this.#handle.run((core) => this.#append(core, attempt));
      // What was applied since the row was made has a timer of its own, or a flush that waits.
    } else if (strict) this.#relaxed = false;
    // A tombstone outlives its leave's way to the disk.
    if (!this.#relaxed) this.#forget(this.#honoured);
    else if (this.#honoured.length > 0) {
      this.#strict = true;
      this.#schedule(this.#settings.flushDelay);
    }
    if (attempt !== undefined) this.#tabs.tell();
  }

  #forget(honoured: readonly Tombstone[]): void {
    if (honoured.length === 0) return;
    this.#handle.run((core) => this.#leaves.raiseFence(core, this.#position, this.#tabs.elsewhere));
    this.#leaves.remove(honoured);
  }

  #failed(strict: boolean, changes: Change[]): void {
    this.#strict ||= strict;
    if (this.#handle.instance.poisoned) return;
    // A gate closes whether that can be stored or not.
    this.#handle.run((core) => this.#honour(core, changes));
    this.#schedule(Math.min(Math.max(this.#settings.flushDelay, 100) * 2 ** this.#retries++, MAX_RETRY_DELAY));
  }

  // What is pending was made for data that somebody deleted, and falls away with it (R18).
  async #startOver(): Promise<void> {
    if (this.#closing) return;
    const { handle, stored } = await this.#settings.startOver();
    if (this.#closed) {
      handle.free();
      return;
    }
    const old = this.#handle;
    this.#handle = handle;
    this.#attempt = undefined;
    this.#relaxed = false;
    this.#position = stored.position + stored.rows.length;
    this.#weight = new LogWeight(stored);
    this.#forgotten = 0;
    this.#settings.replaced(handle);
    old.free();
    this.#settings.tell([{ type: "reset" }]);
    if (handle.run((core) => core.pending()) > 0) this.#schedule(0);
  }

  // By one tab; the snapshot is made beforehand and holds what is folded, not what is pending.
  #compact(): void {
    if (this.#compacting !== undefined || this.#closed || this.#handle.instance.poisoned) return;
    const forgotten = this.#handle.run((core) => core.forgets());
    const due = forgotten > this.#forgotten;
    if (!(this.#weight.heavy || due)) return;
    const position = this.#position;
    const snapshot = this.#handle.run((core) => core.snapshot());
    this.#compacting = this.#store
      .compact(position, snapshot)
      .then((done) => {
        if (done) {
          this.#weight.compacted(position, snapshot.length);
          this.#forgotten = forgotten;
        }
        // Another tab's snapshot may be from before something was forgotten: once more, with the next flush.
        else if (due) this.#schedule(COMPACTION_DELAY);
      })
      .catch((error) => {
        if (due) this.#schedule(COMPACTION_DELAY);
        if (!isGone(error)) this.#settings.onError(error);
      })
      .finally(() => {
        this.#compacting = undefined;
      });
  }
}

function isGone(error: unknown): boolean {
  return error instanceof TidegateError && error.code === "NotFound";
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
