// A store in IndexedDB. Rows are kept under their position in the log, so that two tabs cannot append the same one.
import { TidegateError } from "./errors.js";
import { printAfter, withPrints } from "./fingerprint.js";
import { unlessBusy } from "./locks.js";
import { random64 } from "./random.js";
import type { Durability, News, Store, Stored } from "./store.js";
import type { Tombstones } from "./tombstones.js";

/** Version of the layout of the IndexedDB database. */
const VERSION = 1;
/** What IndexedDB has not done by then, in milliseconds, is given up. */
const PATIENCE = 8_000;

const LOG = "log";
const SNAPSHOT = "snapshot";
const QUARANTINE = "quarantine";
// The records of the object store SNAPSHOT: one piece, but some of it is read often, and the bytes are not.
const POSITION = "position";
const BYTES = "bytes";
/** A random string, made with the database: another one in its place is another database (R18). */
const IDENTITY = "identity";
/** Fingerprints of the last rows that the snapshot stands for. */
const PRINTS = "prints";

/** The name of the IndexedDB database behind a database. */
export function indexedDbName(name: string): string {
  return `tidegate:${name}`;
}

/** The stores of one transaction, and a way to give it up with a reason. */
interface Work {
  log: IDBObjectStore;
  snapshot: IDBObjectStore;
  quarantine: IDBObjectStore;
  /** Runs `then` with the request's result; what it throws undoes the transaction. */
  after<T>(request: IDBRequest<T>, then: (result: T) => void): void;
}

/** See the top of the file. */
export class IndexedDbStore implements Store {
  readonly persistent = true;
  readonly tombstones: Tombstones | undefined;
  readonly #factory: IDBFactory;
  readonly #name: string;
  readonly #onLoss: (loss: TidegateError) => void;
  #connection: IDBDatabase | undefined;
  #connecting: Promise<IDBDatabase> | undefined;
  #closed = false;
  #flush: (() => Promise<void>) | undefined;
  // Once data was seen, a database that is not there any more was deleted, and is not made again (R18).
  #identity: string | undefined;

  /** `onLoss` is told where the browser says that it has deleted what was stored here, as Chromium does. */
  constructor(
    factory: IDBFactory,
    name: string,
    tombstones?: Tombstones,
    onLoss: (loss: TidegateError) => void = () => {},
  ) {
    this.#factory = factory;
    this.#name = indexedDbName(name);
    this.tombstones = tombstones;
    this.#onLoss = onLoss;
  }

  async load(): Promise<Stored | null> {
    let found: { position: unknown; bytes: unknown; rows: unknown[]; keys: IDBValidKey[] } | undefined;
    let identity: unknown;
    this.#identity = undefined;
    await this.#transaction("readonly", "relaxed", ({ log, snapshot, after }) => {
      after(snapshot.get(IDENTITY), (stored: unknown) => {
        identity = stored;
      });
      after(snapshot.get(POSITION), (position: unknown) => {
        after(snapshot.get(BYTES), (bytes: unknown) => {
          const rest = typeof position === "number" ? IDBKeyRange.lowerBound(position, true) : null;
          after(log.getAllKeys(rest), (keys) => {
            after(log.getAll(rest), (rows: unknown[]) => {
              found = { position, bytes, rows, keys };
            });
          });
        });
      });
    });
    if (found === undefined) return null;
    const { position, bytes, rows, keys } = found;
    if (position === undefined && bytes === undefined && rows.length === 0) return null;
    this.#identity = String(identity);
    const whole = isPosition(position) && bytes instanceof Uint8Array && typeof identity === "string";
    if (!whole) throw new TidegateError("CorruptSnapshot");
    if (!keys.every((key, index) => key === position + index + 1)) throw new TidegateError("CorruptEvents");
    return { snapshot: bytes, position, rows: rows.map(toRow) };
  }

  async create(snapshot: Uint8Array): Promise<boolean> {
    let created = false;
    const identity = String(random64());
    await this.#transaction("readwrite", "strict", ({ snapshot: store, log, after }) => {
      after(store.count(), (records) => {
        after(log.count(), (rows) => {
          created = records === 0 && rows === 0;
          if (!created) return;
          store.put(0, POSITION);
          store.put(snapshot, BYTES);
          store.put(identity, IDENTITY);
        });
      });
    });
    if (created) this.#identity = identity;
    return created;
  }

  async read(position: number): Promise<News> {
    let news: News | undefined;
    await this.#transaction("readonly", "relaxed", (work) =>
      this.#news(work, position, (found) => {
        news = found;
      }),
    );
    if (news === undefined) throw gone();
    return news;
  }

  transact(position: number, step: (news: News) => Uint8Array | null, durability: Durability): Promise<void> {
    return this.#transaction("readwrite", durability, (work) =>
      this.#news(work, position, (news) => {
        const row = step(news);
        const last = Math.max(position, news.compacted) + news.rows.length;
        if (row !== null) work.log.add(row, last + 1);
        // A transaction without a write would not wait for the disk.
        else if (durability === "strict") work.snapshot.put(news.compacted, POSITION);
      }),
    );
  }

  compact(position: number, bytes: Uint8Array): Promise<boolean> {
    return unlessBusy(`${this.#name}:compact`, () =>
      this.#transaction("readwrite", "strict", ({ log, snapshot, after }) => {
        this.#stillThere({ snapshot, after }, (compacted) => {
          if (compacted >= position) return;
          after(snapshot.get(PRINTS), (prints: unknown) => {
            after(log.getAll(IDBKeyRange.bound(compacted, position, true)), (rows: unknown[]) => {
              snapshot.put(withPrints(toPrints(prints), rows.map(toRow)), PRINTS);
              snapshot.put(position, POSITION);
              snapshot.put(bytes, BYTES);
              log.delete(IDBKeyRange.upperBound(position));
            });
          });
        });
      }),
    );
  }

  quarantine(): Promise<void> {
    return this.#transaction("readwrite", "strict", ({ log, snapshot, quarantine, after }) => {
      after(snapshot.get(POSITION), (position: unknown) => {
        after(snapshot.get(BYTES), (bytes: unknown) => {
          after(log.getAll(), (rows: unknown[]) => {
            quarantine.add({ position, snapshot: bytes, rows });
            snapshot.clear();
            log.clear();
          });
        });
      });
    });
  }

  onYield(flush: () => Promise<void>): void {
    this.#flush = flush;
  }

  close(): void {
    this.#closed = true;
    this.#disconnect();
  }

  /** Goes on with the snapshot's position, unless this is not the database that was found or made before (R18). */
  #stillThere({ snapshot, after }: Pick<Work, "snapshot" | "after">, then: (compacted: number) => void): void {
    let identity: unknown;
    after(snapshot.get(IDENTITY), (stored: unknown) => {
      identity = stored;
    });
    after(snapshot.get(POSITION), (compacted: unknown) => {
      if (!isPosition(compacted) || (this.#identity !== undefined && identity !== this.#identity)) throw gone();
      then(compacted);
    });
  }

  #news(work: Work, position: number, then: (news: News) => void): void {
    const { log, snapshot, after } = work;
    this.#stillThere(work, (compacted) => {
      const rest = IDBKeyRange.lowerBound(Math.max(position, compacted), true);
      after(log.getAll(rest), (found: unknown[]) => {
        const rows = found.map(toRow);
        if (compacted <= position) {
          then({ compacted, snapshot: null, rows, overtaken: undefined });
          return;
        }
        after(snapshot.get(PRINTS), (prints: unknown) => {
          after(snapshot.get(BYTES), (bytes: unknown) => {
            if (!(bytes instanceof Uint8Array)) throw new TidegateError("CorruptSnapshot");
            const overtaken = printAfter(toPrints(prints), compacted, position);
            then({ compacted, snapshot: bytes, rows, overtaken });
          });
        });
      });
    });
  }

  /** Runs `work` in one transaction; settles when it is complete. */
  #transaction(mode: IDBTransactionMode, durability: Durability, work: (work: Work) => void): Promise<void> {
    const begin = (connection: IDBDatabase): Promise<void> => {
      const transaction = connection.transaction([LOG, SNAPSHOT, QUARANTINE], mode, { durability });
      return settle(transaction, work);
    };
    if (this.#connection !== undefined) {
      try {
        // At once, without a turn of the event loop: a page that is being closed gets no other.
        return begin(this.#connection);
      } catch (error) {
        // The browser closed the connection without a word: open it again, once.
        if (nameOf(error) !== "InvalidStateError") return Promise.reject(storageError(error));
        this.#disconnect();
      }
    }
    return this.#connect()
      .then((connection) => begin(connection))
      .catch((error) => {
        throw storageError(error);
      });
  }

  #connect(): Promise<IDBDatabase> {
    this.#connecting ??= this.#open().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  #open(): Promise<IDBDatabase> {
    return new Promise((resolve, reject) => {
      if (this.#closed) throw new TidegateError("Closed");
      const request = this.#factory.open(this.#name, VERSION);
      let blocked = false;
      let late = false;
      const timer = setTimeout(() => {
        late = true;
        reject(blocked ? new TidegateError("Blocked") : silent());
      }, PATIENCE);
      request.onblocked = () => {
        blocked = true;
      };
      request.onupgradeneeded = (event) => {
        if (late || this.#closed || this.#identity !== undefined) {
          request.transaction?.abort();
          return;
        }
        request.result.createObjectStore(LOG);
        request.result.createObjectStore(SNAPSHOT);
        request.result.createObjectStore(QUARANTINE, { autoIncrement: true });
        const loss = lossOf(event);
        if (loss !== undefined) this.#onLoss(loss);
      };
      request.onerror = () => {
        clearTimeout(timer);
        reject(this.#identity !== undefined && nameOf(request.error) === "AbortError" ? gone() : request.error);
      };
      request.onsuccess = () => {
        clearTimeout(timer);
        const connection = request.result;
        if (late || this.#closed) {
          connection.close();
          reject(new TidegateError("Closed"));
          return;
        }
        connection.onversionchange = ({ newVersion }) => this.#makeRoom(connection, newVersion);
        connection.onclose = () => this.#disconnect(connection);
        this.#connection = connection;
        resolve(connection);
      };
    });
  }

  // Another tab wants to upgrade or delete. The next transaction opens again, and finds out which.
  #makeRoom(connection: IDBDatabase, newVersion: number | null): void {
    // What is deleted is not written to (R18).
    const flushed = newVersion === null ? undefined : this.#flush?.();
    if (flushed === undefined) this.#disconnect(connection);
    else flushed.finally(() => this.#disconnect(connection));
  }

  #disconnect(connection = this.#connection): void {
    connection?.close();
    if (this.#connection === connection) this.#connection = undefined;
  }
}

/** What Chromium adds to the event where it has found its own files damaged and deleted all databases of the origin. */
function lossOf(event: IDBVersionChangeEvent): TidegateError | undefined {
  const { dataLoss, dataLossMessage } = event as { dataLoss?: unknown; dataLossMessage?: unknown } & Event;
  if (dataLoss === undefined || dataLoss === "none") return undefined;
  const message = `the browser found its files damaged and deleted what was stored: ${dataLossMessage}`;
  return new TidegateError("Storage", { message });
}

function settle(transaction: IDBTransaction, work: (work: Work) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    let reason: unknown;
    const undo = (error: unknown): void => {
      reason ??= error;
      try {
        transaction.abort();
      } catch {
        // It is being committed, or over. Whether it was stored shows in the next transaction.
        reject(storageError(reason));
      }
    };
    const timer = setTimeout(() => undo(silent()), PATIENCE);
    transaction.oncomplete = () => {
      clearTimeout(timer);
      resolve();
    };
    // The transaction's own error is the real cause: a full disk shows nowhere else.
    transaction.onabort = () => {
      clearTimeout(timer);
      reject(storageError(reason ?? transaction.error));
    };
    work({
      log: transaction.objectStore(LOG),
      snapshot: transaction.objectStore(SNAPSHOT),
      quarantine: transaction.objectStore(QUARANTINE),
      after: (request, then) => {
        request.onsuccess = () => {
          try {
            then(request.result);
          } catch (error) {
            undo(error);
          }
        };
      },
    });
  });
}

function isPosition(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function toRow(value: unknown): Uint8Array {
  if (!(value instanceof Uint8Array)) throw new TidegateError("CorruptEvents");
  return value;
}

function toPrints(value: unknown): Uint32Array {
  return value instanceof Uint32Array ? value : new Uint32Array(0);
}

/** The TidegateError for what IndexedDB says. */
export function storageError(error: unknown): TidegateError {
  if (error instanceof TidegateError) return error;
  const name = nameOf(error);
  if (name === "QuotaExceededError") return new TidegateError("QuotaExceeded", { cause: error });
  if (name === "VersionError") return new TidegateError("UnsupportedVersion", { cause: error });
  return new TidegateError("Storage", { cause: error });
}

function nameOf(error: unknown): string | undefined {
  return typeof error === "object" && error !== null ? String((error as { name?: unknown }).name) : undefined;
}

function silent(): TidegateError {
  return new TidegateError("Storage", { message: "IndexedDB does not answer" });
}

function gone(): TidegateError {
  return new TidegateError("NotFound", { message: "the stored data was deleted" });
}
