// Looks at IndexedDB from outside: what is written, in which transactions, and what is stored.

interface Transaction {
  mode: IDBTransactionMode;
  durability: IDBTransactionDurability;
}

/** What reached the storage while it was watched. */
interface Seen {
  /** Calls that write: "put snapshot", "add log", … */
  writes: string[];
  transactions: Transaction[];
}

/** Notes every transaction and every write from now on, until `stop`. `written` settles after the first one that wrote. */
export function watchStorage(): { written: Promise<void>; stop(): Seen } {
  const seen: Seen = { writes: [], transactions: [] };
  const stops: (() => void)[] = [];
  let settle = (): void => {};
  const written = new Promise<void>((resolve) => {
    settle = resolve;
  });
  const store = IDBObjectStore.prototype;
  for (const name of ["add", "put", "delete", "clear"] as const) {
    const original = store[name];
    const watched = function (this: IDBObjectStore, ...args: unknown[]): unknown {
      seen.writes.push(`${name} ${this.name}`);
      this.transaction.addEventListener("complete", settle);
      return Reflect.apply(original, this, args);
    };
    Object.assign(store, { [name]: watched });
    stops.push(() => {
      Object.assign(store, { [name]: original });
    });
  }
  const database = IDBDatabase.prototype;
  const original = database.transaction;
  database.transaction = function (this: IDBDatabase, ...args: Parameters<typeof original>): IDBTransaction {
    const transaction = Reflect.apply(original, this, args);
    seen.transactions.push({ mode: transaction.mode, durability: transaction.durability });
    return transaction;
  };
  stops.push(() => {
    database.transaction = original;
  });
  return {
    written,
    stop() {
      for (const stop of stops) stop();
      return seen;
    },
  };
}

/** All that is stored under a Tidegate database's name, as one text; empty where there is nothing. */
export async function dump(name: string): Promise<string> {
  const lines: string[] = [];
  for (const found of await indexedDB.databases()) {
    if (found.name === undefined || !found.name.includes(name)) continue;
    const database = await settled(indexedDB.open(found.name));
    for (const store of Array.from(database.objectStoreNames)) {
      const records = database.transaction(store).objectStore(store);
      const [keys, values] = await Promise.all([settled(records.getAllKeys()), settled(records.getAll())]);
      values.forEach((value, index) => {
        lines.push(`${store} ${keys[index]}: ${value}`);
      });
    }
    database.close();
  }
  return lines.join("\n");
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
