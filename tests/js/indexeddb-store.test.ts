// The IndexedDB store on fake-indexeddb: what every store does, and how it takes what browsers do to it.
import "fake-indexeddb/auto";
import { IDBDatabase, IDBFactory, IDBObjectStore } from "fake-indexeddb";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { TidegateError } from "../../js/errors.js";
import { IndexedDbStore, indexedDbName } from "../../js/indexeddb-store.js";
import { acceptStore } from "./storage-acceptance.js";
import { turns } from "./support/clock.js";
import { expectReject } from "./support/errors.js";

const NAME = "test";
/** Makes the next `add` go wrong. */
const onAdd = (trouble: (store: IDBObjectStore) => void) => () => {
  vi.spyOn(IDBObjectStore.prototype, "add").mockImplementationOnce(function (this: IDBObjectStore, ...row) {
    const request = this.put(...(row as [unknown, IDBValidKey]));
    trouble(this);
    return request;
  });
};
/** Lets a transaction go wrong when its requests are done, as a full disk does. */
const abortAs = (name: string) =>
  onAdd(({ transaction }) => {
    const aborting = transaction as unknown as { _abort(name: string): void; commit(): void };
    aborting.commit = () => {};
    queueMicrotask(() => aborting._abort(name));
  });
const FAULTS = { full: abortAs("QuotaExceededError"), aborted: abortAs("UnknownError") };

/** A factory each of whose connections has its trouble with every transaction: before it, and a turn after it was made. */
function troubled(before: (connection: Connection) => void, after: (connection: Connection) => void): IDBFactory {
  const factory = new IDBFactory();
  const open = factory.open.bind(factory);
  factory.open = (...args) => {
    const request = open(...args);
    request.addEventListener("success", () => {
      const connection = request.result as unknown as Connection;
      const transaction = connection.transaction.bind(connection);
      connection.transaction = (...scope) => {
        before(Object.assign(Object.create(connection), { transaction }));
        const made = transaction(...scope);
        setTimeout(() => after(connection), 0);
        return made;
      };
    });
    return request;
  };
  return factory;
}

type Connection = globalThis.IDBDatabase;

/** Holds everything up until `done`: a transaction that others have to wait for. */
function holdUp(connection: Connection, done: () => boolean): void {
  const log = connection.transaction(["log", "snapshot", "quarantine"], "readwrite").objectStore("log");
  const turn = (): void => {
    if (!done()) log.count().onsuccess = turn;
  };
  turn();
}

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

acceptStore("IndexedDB", () => {
  const factory = new IDBFactory();
  return { open: () => new IndexedDbStore(factory, NAME), fail: FAULTS };
});

acceptStore("IndexedDB that takes its time", () => {
  const slow = (connection: Connection): void => {
    const until = performance.now() + 5;
    holdUp(connection, () => performance.now() > until);
  };
  const factory = troubled(slow, () => {});
  return { open: () => new IndexedDbStore(factory, NAME) };
});

acceptStore("IndexedDB whose connections do not last", () => {
  const factory = troubled(
    () => {},
    (connection) => connection.close(),
  );
  return { open: () => new IndexedDbStore(factory, NAME) };
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

function open(factory: IDBFactory): Promise<globalThis.IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = factory.open(indexedDbName(NAME));
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function remove(factory: IDBFactory): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = factory.deleteDatabase(indexedDbName(NAME));
    request.onsuccess = () => resolve();
    request.onerror = () => reject(request.error);
  });
}

/** Changes stored records behind the store's back. */
async function tamper(factory: IDBFactory, work: (transaction: globalThis.IDBTransaction) => void): Promise<void> {
  const connection = await open(factory);
  const transaction = connection.transaction(["log", "snapshot", "quarantine"], "readwrite");
  work(transaction);
  await new Promise((resolve) => {
    transaction.oncomplete = resolve;
  });
  connection.close();
}

describe("IndexedDB", () => {
  it("C5: a connection that the browser closed is opened again, once", async () => {
    const factory = new IDBFactory();
    const store = new IndexedDbStore(factory, NAME);
    await store.create(bytes(1));
    const real = IDBDatabase.prototype.transaction;
    const transaction = vi.spyOn(IDBDatabase.prototype, "transaction").mockImplementationOnce(() => {
      throw new DOMException("closing", "InvalidStateError");
    });
    const opened = vi.spyOn(factory, "open");
    await store.transact(0, () => bytes(2), "strict");
    expect({ opened: opened.mock.calls.length, tried: transaction.mock.calls.length }).toEqual({ opened: 1, tried: 2 });
    transaction.mockRestore();
    expect(IDBDatabase.prototype.transaction).toBe(real);
    expect((await store.load())?.rows).toEqual([bytes(2)]);
  });

  it("C5: a connection that stays closed is Storage, not an endless loop", async () => {
    const factory = new IDBFactory();
    const store = new IndexedDbStore(factory, NAME);
    await store.create(bytes(1));
    vi.spyOn(IDBDatabase.prototype, "transaction").mockImplementation(() => {
      throw new DOMException("closing", "InvalidStateError");
    });
    const error = await expectReject(
      store.transact(0, () => bytes(2), "strict"),
      "Storage",
    );
    expect((error.cause as Error).name).toBe("InvalidStateError");
  });

  it("an aborted transaction rejects with its real cause and has stored nothing", async () => {
    const factory = new IDBFactory();
    const store = new IndexedDbStore(factory, NAME);
    await store.create(bytes(1));
    for (const [name, code] of [
      ["QuotaExceededError", "QuotaExceeded"],
      ["UnknownError", "Storage"],
    ] as const) {
      // The request succeeds and the transaction fails: that is how a full disk shows.
      vi.spyOn(IDBObjectStore.prototype, "add").mockImplementationOnce(function (this: IDBObjectStore, ...row) {
        const request = this.put(...(row as [unknown, IDBValidKey]));
        const transaction = this.transaction as unknown as { _abort(name: string): void };
        request.addEventListener("success", () => transaction._abort(name));
        return request;
      });
      const error = await expectReject(
        store.transact(0, () => bytes(2), "strict"),
        code,
      );
      expect((error.cause as Error).name).toBe(name);
      expect((await store.load())?.rows).toEqual([]);
    }
    await store.transact(0, () => bytes(2), "strict");
    expect((await store.load())?.rows).toEqual([bytes(2)]);
  });

  it("C5: makes room for another tab's upgrade, and refuses a newer layout with UnsupportedVersion", async () => {
    const factory = new IDBFactory();
    const store = new IndexedDbStore(factory, NAME);
    await store.create(bytes(1));
    await new Promise((resolve, reject) => {
      const request = factory.open(indexedDbName(NAME), 99);
      request.onsuccess = () => resolve(request.result.close());
      request.onerror = () => reject(request.error);
    });
    await expectReject(
      store.transact(0, () => bytes(2), "strict"),
      "UnsupportedVersion",
    );
    await expectReject(new IndexedDbStore(factory, NAME).load(), "UnsupportedVersion");
  });

  it("what was deleted under an open store is not made again (R18)", async () => {
    const factory = new IDBFactory();
    const store = new IndexedDbStore(factory, NAME);
    await store.create(bytes(1));
    await remove(factory);
    await expectReject(
      store.transact(0, () => bytes(2), "strict"),
      "NotFound",
    );
    await expectReject(store.read(0), "NotFound");
    await expectReject(store.compact(1, bytes(3)), "NotFound");
    expect(await factory.databases()).toEqual([]);
  });

  it.each([
    ["total", "database was corrupt", ["Storage"]],
    ["none", "", []],
  ])("tells of stored data that Chromium has deleted (%s)", async (dataLoss, dataLossMessage, codes) => {
    const factory = new IDBFactory();
    const begin = factory.open.bind(factory);
    vi.spyOn(factory, "open").mockImplementation((...args) => {
      const request = begin(...args);
      request.addEventListener("upgradeneeded", (event) => Object.assign(event, { dataLoss, dataLossMessage }));
      return request;
    });
    const losses: TidegateError[] = [];
    const store = new IndexedDbStore(factory, NAME, undefined, (loss) => losses.push(loss));
    expect(await store.load()).toBeNull();
    expect(losses.map(({ code }) => code)).toEqual(codes);
    for (const { message } of losses) expect(message).toContain(dataLossMessage);
    expect(await store.create(bytes(1))).toBe(true);
  });

  it("settles as Storage when IndexedDB never answers, and does not use a late answer", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const factory = new IDBFactory();
    const requests: Partial<IDBOpenDBRequest>[] = [];
    vi.spyOn(factory, "open").mockImplementation(() => {
      requests.push({});
      return requests[0] as ReturnType<IDBFactory["open"]>;
    });
    const rejected = expectReject(new IndexedDbStore(factory, NAME).load(), "Storage");
    await vi.advanceTimersByTimeAsync(8_000);
    await rejected;
    const close = vi.fn();
    Object.assign(requests[0] as object, { result: { close } });
    requests[0]?.onsuccess?.call(requests[0] as IDBOpenDBRequest, new Event("success"));
    expect(close).toHaveBeenCalledOnce();
  });

  it("a transaction that never comes to its turn is Storage in time, and has stored nothing", async () => {
    const factory = new IDBFactory();
    const store = new IndexedDbStore(factory, NAME);
    await store.create(bytes(1));
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    let held = true;
    holdUp(await open(factory), () => !held);
    const rejected = expectReject(
      store.transact(0, () => bytes(2), "strict"),
      "Storage",
    );
    await vi.advanceTimersByTimeAsync(8_000);
    await rejected;
    held = false;
    expect((await store.load())?.rows).toEqual([]);
    await store.transact(0, () => bytes(3), "strict");
    expect((await store.load())?.rows).toEqual([bytes(3)]);
  });

  it("settles as Blocked when another tab holds the database", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const factory = new IDBFactory();
    const request: Partial<IDBOpenDBRequest> = {};
    vi.spyOn(factory, "open").mockImplementation(() => request as ReturnType<IDBFactory["open"]>);
    const rejected = expectReject(new IndexedDbStore(factory, NAME).load(), "Blocked");
    request.onblocked?.call(request as IDBOpenDBRequest, new Event("blocked") as IDBVersionChangeEvent);
    await vi.advanceTimersByTimeAsync(8_000);
    await rejected;
  });

  it("records of the wrong shape are damage", async () => {
    const damages: [string, "CorruptSnapshot" | "CorruptEvents", (t: globalThis.IDBTransaction) => void][] = [
      ["no position", "CorruptSnapshot", (t) => t.objectStore("snapshot").delete("position")],
      ["a position that is none", "CorruptSnapshot", (t) => t.objectStore("snapshot").put(-1, "position")],
      ["no bytes", "CorruptSnapshot", (t) => t.objectStore("snapshot").delete("bytes")],
      ["bytes that are none", "CorruptSnapshot", (t) => t.objectStore("snapshot").put("x", "bytes")],
      ["rows alone", "CorruptSnapshot", (t) => t.objectStore("snapshot").clear()],
      ["a gap in the rows", "CorruptEvents", (t) => t.objectStore("log").delete(1)],
      ["a row that is none", "CorruptEvents", (t) => t.objectStore("log").put("x", 2)],
    ];
    for (const [name, code, damage] of damages) {
      const factory = new IDBFactory();
      const store = new IndexedDbStore(factory, NAME);
      await store.create(bytes(1));
      await store.transact(0, () => bytes(2), "strict");
      await store.transact(1, () => bytes(3), "strict");
      await tamper(factory, damage);
      await expectReject(new IndexedDbStore(factory, NAME).load(), code).catch((error: unknown) => {
        throw new Error(name, { cause: error });
      });
    }
  });

  it("keeps quarantined records, every time", async () => {
    const factory = new IDBFactory();
    const store = new IndexedDbStore(factory, NAME);
    for (const value of [1, 2]) {
      await store.create(bytes(value));
      await store.transact(0, () => bytes(value, value), "strict");
      await store.quarantine();
    }
    let kept: unknown;
    await tamper(factory, (transaction) => {
      const all = transaction.objectStore("quarantine").getAll();
      all.onsuccess = () => {
        kept = all.result;
      };
    });
    expect(kept).toEqual([1, 2].map((value) => ({ position: 0, snapshot: bytes(value), rows: [bytes(value, value)] })));
  });

  it("begins a transaction at once where the connection is open: a page that is closing gets no other turn", async () => {
    const factory = new IDBFactory();
    const store = new IndexedDbStore(factory, NAME);
    await store.create(bytes(1));
    const transaction = vi.spyOn(IDBDatabase.prototype, "transaction");
    const done = store.transact(0, () => bytes(2), "strict");
    expect(transaction).toHaveBeenCalledOnce();
    expect(transaction.mock.calls[0]?.[2 as never]).toEqual({ durability: "strict" });
    await done;
  });

  it("answers after close with Closed", async () => {
    const factory = new IDBFactory();
    const store = new IndexedDbStore(factory, NAME);
    await store.create(bytes(1));
    store.close();
    await expectReject(
      store.transact(0, () => bytes(2), "strict"),
      "Closed",
    );
    await turns();
  });
});
