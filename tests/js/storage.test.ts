// Case C4, and what else a database does with its storage.
import "fake-indexeddb/auto";
import { IDBDatabase, IDBFactory, IDBObjectStore } from "fake-indexeddb";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type OpenOptions, open, restore, TidegateError } from "../../js/index.js";
import { Clock, T0, turns } from "./support/clock.js";
import { fillSample, mark, marks, mass, openTest, SIGNALS } from "./support/database.js";
import { expectReject } from "./support/errors.js";
import { MemoryStore } from "./support/memory-store.js";

let clock: Clock;
let errors: TidegateError[];

beforeEach(() => {
  vi.stubGlobal("indexedDB", new IDBFactory());
  clock = new Clock();
  errors = [];
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const on = (storage: OpenOptions["storage"], options: OpenOptions = {}) =>
  open({ storage, now: clock.now, signals: SIGNALS, onError: (error) => errors.push(error), ...options });

const sample = async (storage: OpenOptions["storage"]) => fillSample(await on(storage));

describe.each(["IndexedDB", "a store"])("a database in %s", (kind) => {
  let storage: OpenOptions["storage"];
  beforeEach(() => {
    storage = kind === "IndexedDB" ? "indexeddb" : new MemoryStore();
  });

  it("C2: three signals, close, reopen: there", async () => {
    const database = await on(storage);
    expect(database.persistent).toBe(true);
    for (const item of [1, 2, 3]) mark(database, "ann", item);
    await database.close();
    const again = await on(storage);
    expect(marks(again, "ann")).toEqual({ 1: 1, 2: 1, 3: 1 });
    await again.close();
  });

  it("holds after a reload exactly what it held before, byte by byte", async () => {
    const database = await sample(storage);
    const bytes = database.snapshot();
    await database.close();
    const again = await on(storage);
    expect(again.snapshot()).toEqual(bytes);
    expect(again.query({ user: "ann", community: "club" }).items[0]).toMatchObject({ id: "film" });
    await again.close();
  });

  it("signals are stored after the delay without anybody asking, membership changes at once", async () => {
    const database = await on(storage, { flushDelay: 1 });
    mark(database, 5, 1);
    expect(database.stats().pending).toBe(1);
    await vi.waitFor(() => expect(database.stats().pending).toBe(0));
    database.join("ann", 7);
    await database.leave("ann", 7).durable;
    expect(database.stats()).toMatchObject({ pending: 0, memberships: 1 });
    await database.close();
  });

  it("R19: new kinds are stored before open resolves; other half-lives and roles are refused", async () => {
    const database = await sample(storage);
    await database.close();
    const added = await on(storage, { signals: { read: { weight: 3, seen: true } } });
    expect(added.stats().pending).toBe(0);
    const kind = added.kindOf("read");
    await added.close();
    const again = await on(storage, { signals: {} });
    expect(again.kindOf("read")).toBe(kind);
    again.signal({ user: "bob", item: 1, kind: "read" });
    expect(again.profile("bob")).toMatchObject({ seen: 1, items: [{ score: 3 }] });
    await again.close();
    await expectReject(on(storage, { signals: { read: { halfLife: "8d" } } }), "SchemaMismatch", "signals.read");
    await expectReject(on(storage, { signals: { read: { seen: false } } }), "SchemaMismatch", "signals.read");
    const heavier = await on(storage, { signals: { read: { weight: 5 } } });
    heavier.signal({ user: "eve", item: 1, kind: "read" });
    expect(heavier.profile("eve").items).toEqual([{ id: "1", score: 5 }]);
    await heavier.close();
  });

  it("R19: dimensions are frozen at first use", async () => {
    const database = await on(storage, { dimensions: 3 });
    await database.close();
    await expectReject(on(storage, { dimensions: 4 }), "SchemaMismatch", "dimensions");
    const again = await on(storage);
    again.upsertItems([{ id: 1, vector: [1, 2, 3] }]);
    await again.close();
  });

  it("R20: restore stores at once, under an origin of its own, and not over data", async () => {
    const database = await sample(storage);
    const bytes = database.snapshot();
    await database.close();
    await expectReject(restore(bytes, { storage, name: "tidegate" }), "InvalidArgument", "name");
    const other = kind === "IndexedDB" ? "indexeddb" : new MemoryStore();
    const copy = await restore(bytes, { storage: other, name: "copy", now: clock.now, signals: SIGNALS });
    expect(copy.snapshot()).not.toEqual(bytes);
    expect(marks(copy, "ann")).toEqual({ film: 1 });
    // No close and no flush: it is there already.
    const again = await open({ storage: other, name: "copy", now: clock.now, signals: SIGNALS });
    expect(again.snapshot()).toEqual(copy.snapshot());
    expect(mass(again, "club")).toEqual({ film: 1 });
    await again.close();
    await copy.close();
  });

  it("R19: restore adds the kinds that it is given", async () => {
    const bytes = (await openTest()).snapshot();
    const copy = await restore(bytes, { storage, signals: { read: {} } });
    const kind = copy.kindOf("read");
    await copy.close();
    const again = await on(storage, { signals: {} });
    expect(again.kindOf("read")).toBe(kind);
    await again.close();
    await expectReject(
      restore(bytes, { storage: "memory", signals: { mark: { seen: true } } }),
      "SchemaMismatch",
      "signals.mark",
    );
  });

  it("R18: what is forgotten goes from the log too", async () => {
    const database = await sample(storage);
    mark(database, "bob", "secret");
    await database.flush();
    expect(database.forgetUser("bob")).toEqual([]);
    expect(database.profile("bob").signals).toBe(0);
    await database.flush();
    await database.close();
    if (storage instanceof MemoryStore) {
      expect(storage.stored?.rows).toEqual([]);
    }
    const again = await on(storage);
    expect(again.profile("bob").items).toEqual([]);
    expect(marks(again, "ann")).toEqual({ film: 1 });
    await again.close();
  });
});

describe("C4: early state does not replace stored state", () => {
  it("open waits for a slow read, and goes on from what was stored", async () => {
    const storage = new MemoryStore();
    await (await sample(storage)).close();
    let answer = (): void => {};
    storage.gate = new Promise((resolve) => {
      answer = resolve;
    });
    let opened = false;
    const opening = on(storage).then((database) => {
      opened = true;
      mark(database, "ann", "film", "club");
      return database;
    });
    await turns();
    expect(opened).toBe(false);
    answer();
    const database = await opening;
    expect(marks(database, "ann")).toEqual({ film: 2 });
    await database.close();
    const again = await on(storage);
    expect(marks(again, "ann")).toEqual({ film: 2 });
    await again.close();
  });

  it("two first opens at once make one database", async () => {
    const [a, b] = await Promise.all([on("indexeddb"), on("indexeddb")]);
    expect(a.snapshot()).toEqual(b.snapshot());
    mark(a, "ann", 1);
    await a.close();
    mark(b, "ann", 2);
    await b.close();
    const again = await on("indexeddb");
    expect(marks(again, "ann")).toEqual({ 1: 1, 2: 1 });
    await again.close();
  });

  it("ten idle rounds write nothing", async () => {
    const storage = new MemoryStore();
    await (await sample(storage)).close();
    const before = structuredClone({ stored: storage.stored, writes: storage.writes });
    for (let round = 0; round < 10; round++) await (await on(storage)).close();
    expect({ stored: storage.stored, writes: storage.writes }).toEqual(before);
  });
});

describe("storage that fails", () => {
  const hung = (): IDBFactory => {
    const factory = new IDBFactory();
    vi.spyOn(factory, "open").mockImplementation(() => ({}) as ReturnType<IDBFactory["open"]>);
    return factory;
  };
  const settled = async (promise: Promise<unknown>): Promise<number> => {
    // Loading the module takes real time; the clock of the timers is moved until all is done.
    let done = false;
    const finish = () => {
      done = true;
    };
    promise.then(finish, finish);
    let waited = 0;
    while (!done && waited < 20_000) {
      await vi.advanceTimersByTimeAsync(100);
      waited += 100;
    }
    return waited;
  };

  it("auto goes on in memory when IndexedDB hangs, within 10 s, and tells", async () => {
    await (await openTest()).close();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    vi.stubGlobal("indexedDB", hung());
    const opening = on("auto");
    expect(await settled(opening)).toBeLessThanOrEqual(10_000);
    const database = await opening;
    expect(database.persistent).toBe(false);
    expect(errors.map(({ code }) => code)).toEqual(["Storage"]);
    database.join("ann", 7);
    expect(mark(database, "ann", 1, 7)).toBe("Recorded");
    await database.close();
  });

  it("indexeddb rejects when it hangs, within 10 s", async () => {
    await (await openTest()).close();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    vi.stubGlobal("indexedDB", hung());
    const opening = on("indexeddb");
    const rejected = expectReject(opening, "Storage");
    expect(await settled(opening)).toBeLessThanOrEqual(10_000);
    await rejected;
  });

  it("auto never passes over stored data: storage that shows some and then fails rejects", async () => {
    await (await sample("indexeddb")).close();
    vi.spyOn(IDBObjectStore.prototype, "add").mockImplementation(() => {
      throw new DOMException("disk", "UnknownError");
    });
    await expectReject(on("auto", { signals: { fresh: {} } }), "Storage");
    // Nor does what was given up try again later.
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(errors).toEqual([]);
  });

  it("forbidden storage is memory for auto, and Storage for indexeddb", async () => {
    vi.unstubAllGlobals();
    const descriptor = Object.getOwnPropertyDescriptor(globalThis, "indexedDB");
    Object.defineProperty(globalThis, "indexedDB", {
      configurable: true,
      get() {
        throw new DOMException("forbidden", "SecurityError");
      },
    });
    try {
      const database = await on("auto");
      expect(database.persistent).toBe(false);
      expect(errors.map(({ code }) => code)).toEqual(["Storage"]);
      await database.close();
      const error = await expectReject(on("indexeddb"), "Storage");
      expect((error.cause as Error).name).toBe("SecurityError");
    } finally {
      Object.defineProperty(globalThis, "indexedDB", descriptor ?? {});
    }
  });

  it("where there is no IndexedDB, auto is memory without a word, and indexeddb is Storage", async () => {
    vi.stubGlobal("indexedDB", undefined);
    const database = await on("auto");
    expect({ persistent: database.persistent, errors }).toEqual({ persistent: false, errors: [] });
    await database.close();
    await expectReject(on("indexeddb"), "Storage", "storage");
  });

  it("a full disk is QuotaExceeded from flush and durable; the leave is in force, and stored later", async () => {
    const storage = new MemoryStore();
    const database = await sample(storage);
    storage.failures = [{ error: new TidegateError("QuotaExceeded") }, { error: new TidegateError("QuotaExceeded") }];
    const { durable } = database.leave("ann", "club");
    expect(mark(database, "ann", "film", "club")).toBe("Left");
    await expectReject(durable, "QuotaExceeded");
    await expectReject(database.flush(), "QuotaExceeded");
    expect(errors.map(({ code }) => code)).toEqual(["QuotaExceeded"]);
    await database.flush();
    await database.close();
    const again = await on(storage);
    expect(again.membership("ann", "club")).toMatchObject({ state: "Left" });
    expect(marks(again, "ann")).toEqual({ film: 2 });
    await again.close();
  });

  it("a durable that nobody reads is no unhandled rejection, and onError hears of it", async () => {
    const storage = new MemoryStore();
    const database = await sample(storage);
    const unhandled = vi.fn();
    process.on("unhandledRejection", unhandled);
    storage.failures = [{ error: new TidegateError("Storage") }];
    database.leave("ann", "club");
    await turns();
    process.off("unhandledRejection", unhandled);
    expect(unhandled).not.toHaveBeenCalled();
    expect(errors.map(({ code }) => code)).toEqual(["Storage"]);
    await database.close();
  });

  it("a durable settles when the leave is stored and not before", async () => {
    const storage = new MemoryStore();
    const database = await sample(storage);
    let answer = (): void => {};
    storage.gate = new Promise((resolve) => {
      answer = resolve;
    });
    let settledAt: string | undefined;
    const { durable } = database.leave("ann", "club");
    durable.then(() => {
      settledAt = storage.writes.at(-1);
    });
    await turns();
    expect(settledAt).toBeUndefined();
    answer();
    await durable;
    expect(settledAt).toBe("strict");
    await database.close();
  });

  it("close rejects when what is pending cannot be stored, and has released everything", async () => {
    const storage = new MemoryStore();
    const database = await sample(storage);
    mark(database, "ann", 2);
    storage.failures = [{ error: new TidegateError("QuotaExceeded") }];
    await expectReject(database.close(), "QuotaExceeded");
    await expectReject(database.close(), "QuotaExceeded");
    expect(database.closed).toBe(true);
  });
});

describe("memory", () => {
  it("commits at once: a snapshot has everything, and flush has nothing to do", async () => {
    const database = await openTest();
    mark(database, "ann", 1);
    expect(database.stats()).toMatchObject({ pending: 0, logPosition: 1 });
    const copy = await restore(database.snapshot(), { storage: "memory", now: () => T0 });
    expect(marks(copy, "ann")).toEqual({ 1: 1 });
    await database.flush();
    await copy.close();
    await database.close();
  });
});

describe("C5: another version of the library", () => {
  /** Opens the database as a later version does. */
  const upgrade = (version: number): Promise<IDBDatabase> =>
    new Promise((resolve, reject) => {
      const request = indexedDB.open("tidegate:tidegate", version);
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });

  it("takes the database over: what is pending is flushed before, and nothing is written after", async () => {
    const database = await on("indexeddb", { flushDelay: "1h" });
    mark(database, "ann", 1);
    const later = await upgrade(2);
    expect(database.stats().pending).toBe(0);
    const rows = (): Promise<number> =>
      new Promise((resolve) => {
        const request = later.transaction("log").objectStore("log").count();
        request.onsuccess = () => resolve(request.result);
      });
    const before = await rows();
    mark(database, "ann", 2);
    await expectReject(database.flush(), "UnsupportedVersion");
    await expectReject(on("indexeddb"), "UnsupportedVersion");
    expect(await rows()).toBe(before);
    // It still works in memory, and a leave still closes.
    expect(marks(database, "ann")).toEqual({ 1: 1, 2: 1 });
    await expectReject(database.close(), "UnsupportedVersion");
    later.close();
  });

  it("waits for a flush that is under way, and for what came after that", async () => {
    const database = await on("indexeddb", { flushDelay: "1h" });
    mark(database, "ann", 1);
    const flushed = database.flush();
    mark(database, "ann", 2);
    const later = await upgrade(2);
    await flushed;
    expect(database.stats().pending).toBe(0);
    later.close();
    await database.close().catch(() => {});
  });

  it("a deletion is not written to (R18)", async () => {
    const database = await on("indexeddb", { flushDelay: "1h" });
    mark(database, "ann", 1);
    const transaction = vi.spyOn(IDBDatabase.prototype, "transaction");
    await new Promise((resolve) => {
      indexedDB.deleteDatabase("tidegate:tidegate").onsuccess = resolve;
    });
    expect(transaction).not.toHaveBeenCalled();
    expect(database.stats().pending).toBeGreaterThan(0);
    await database.close();
  });
});

describe("persist", () => {
  it("asks the browser only when it is set, and waits for no answer", async () => {
    const persist = vi.fn(() => new Promise<boolean>(() => {}));
    vi.stubGlobal("navigator", { storage: { persist } });
    await (await on("indexeddb")).close();
    await (await on("memory", { persist: true })).close();
    expect(persist).not.toHaveBeenCalled();
    await (await on("indexeddb", { persist: true })).close();
    expect(persist).toHaveBeenCalledOnce();
    vi.stubGlobal("navigator", { storage: { persist: () => Promise.reject(new Error("no")) } });
    await (await on("indexeddb", { persist: true })).close();
    vi.stubGlobal("navigator", undefined);
    await (await on("indexeddb", { persist: true })).close();
    expect(errors).toEqual([]);
  });
});
