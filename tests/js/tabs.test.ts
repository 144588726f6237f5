// Several tabs of one database: C1, and that a leave in one is in force in the others.
import "fake-indexeddb/auto";
import { IDBDatabase, IDBFactory, IDBObjectStore } from "fake-indexeddb";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Change, type OpenOptions, open, type Tidegate, type TidegateError } from "../../js/index.js";
import { indexedDbName } from "../../js/indexeddb-store.js";
import { Clock, turns } from "./support/clock.js";
import { mark, marks, mass, SIGNALS } from "./support/database.js";
import { FakeWindow } from "./support/fake-window.js";

let clock: Clock;
let page: FakeWindow;
let errors: TidegateError[];
let opened: Tidegate[];

beforeEach(() => {
  vi.stubGlobal("indexedDB", new IDBFactory());
  page = new FakeWindow();
  clock = new Clock();
  errors = [];
  opened = [];
});
afterEach(async () => {
  await Promise.all(opened.map((database) => database.close()));
  expect(errors).toEqual([]);
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

async function tab(options: OpenOptions = {}): Promise<Tidegate> {
  const onError = (error: TidegateError) => errors.push(error);
  const database = await open({ storage: "indexeddb", now: clock.now, signals: SIGNALS, onError, ...options });
  opened.push(database);
  return database;
}

const tabs = (count: number, options?: OpenOptions) => Promise.all(Array.from({ length: count }, () => tab(options)));

/** What a database tells its listeners. */
function listen(database: Tidegate): Change[] {
  const told: Change[] = [];
  database.on("change", (change) => told.push(change));
  return told;
}

/** Waits until all tabs hold the same bytes. */
const same = (all: Tidegate[]) =>
  vi.waitFor(() => {
    const [first, ...others] = all.map((database) => database.snapshot());
    for (const other of others) expect(other).toEqual(first);
  }, 5000);

describe("C1: tabs do not overwrite each other", () => {
  it.each(["the first", "the second"])("ten signals each, flushed in turns, closed %s first", async (order) => {
    const [a, b] = (await tabs(2, { flushDelay: "1h" })) as [Tidegate, Tidegate];
    a.join("ann", "club");
    await a.flush();
    await same([a, b]);
    for (let count = 0; count < 10; count++) {
      mark(a, "ann", 100, "club");
      mark(b, "ann", 200, "club");
    }
    await a.flush();
    await b.flush();
    await a.flush();
    await same([a, b]);
    for (const database of order === "the first" ? [a, b] : [b, a]) await database.close();
    const again = await tab();
    expect(marks(again, "ann")).toEqual({ 100: 10, 200: 10 });
    expect(mass(again, "club")).toEqual({ 100: 10, 200: 10 });
  });

  it("five tabs that write, join, leave and compact at random end with the same bytes", async () => {
    const all = await tabs(5, { flushDelay: 1 });
    let seed = 1;
    const random = (below: number): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    let signals = 0;
    for (let step = 0; step < 300; step++) {
      const database = all[random(5)] as Tidegate;
      clock.time += random(10);
      const user = `user ${random(3)}`;
      const act = random(12);
      if (act === 0) database.join(user, "club");
      else if (act === 1 && database.membership(user, "club") !== null) database.leave(user, "club");
      else if (act === 2) database.upsertItems([{ id: random(5), categories: ["x".repeat(random(400) + 1)] }]);
      else if (act === 3) database.setCohorts(user, [random(3)]);
      else {
        mark(database, user, random(5), "club");
        signals++;
      }
      if (random(4) === 0) await turns(random(4));
    }
    await Promise.all(all.map((database) => database.flush()));
    await same(all);
    const counted = [0, 1, 2].map((user) => (all[0] as Tidegate).profile(`user ${user}`).signals);
    expect(counted.reduce((sum, count) => sum + count, 0)).toBe(signals);
    const again = await tab();
    await same([again, ...all]);
  });

  it("a tab that a compaction left behind goes on, with what it has pending", async () => {
    const [a, b] = (await tabs(2, { flushDelay: "1h" })) as [Tidegate, Tidegate];
    page.fire("pagehide");
    b.join("ann", "club");
    await b.flush();
    mark(b, "ann", 1, "club");
    const told = listen(b);
    // Heavy enough to be compacted, and nobody listens.
    a.join("bob", "club");
    for (let count = 0; count < 4; count++) {
      a.upsertItems([{ id: count, categories: Array.from({ length: 100 }, (_, n) => `${n} ${"x".repeat(900)}`) }]);
      await a.flush();
    }
    await turns();
    await b.flush();
    expect(told.map(({ type }) => type)).toEqual(["membership", "caughtUp"]);
    expect(told[0]).toMatchObject({ membership: { user: "bob", state: "Joined" } });
    await a.flush();
    page.fire("pageshow");
    await same([a, b]);
    expect(mass(b, "club")).toEqual({ 1: 1 });
  });
});

describe("a leave in one tab", () => {
  it("is in force in the others soon, and told there", async () => {
    const all = await tabs(5);
    const [first, ...others] = all as [Tidegate, ...Tidegate[]];
    first.join("ann", "club");
    await vi.waitFor(() => {
      for (const other of others) expect(other.membership("ann", "club")?.state).toBe("Joined");
    });
    const told = others.map(listen);
    const began = performance.now();
    first.leave("ann", "club");
    await vi.waitFor(() => {
      for (const other of others) expect(mark(other, "ann", 1, "club")).toBe("Left");
    }, 900);
    expect(performance.now() - began).toBeLessThan(1000);
    for (const changes of told) {
      expect(changes.slice(0, 2)).toMatchObject([
        { type: "membership", membership: { user: "ann", state: "Left" } },
        { type: "caughtUp", events: expect.any(Number) },
      ]);
    }
  });

  it("is not counted after by a tab that heard nothing of it", async () => {
    const [a, b] = (await tabs(2, { flushDelay: "1h" })) as [Tidegate, Tidegate];
    a.join("ann", "club");
    await a.flush();
    await same([a, b]);
    page.fire("pagehide");
    await a.leave("ann", "club").durable;
    expect(mark(b, "ann", 1, "club")).toBe("Recorded");
    await b.flush();
    expect(mass(b, "club")).toEqual({});
    expect(marks(b, "ann")).toEqual({ 1: 1 });
    expect(b.stats().contributions).toEqual({ recorded: 0, gated: 1 });
  });
});

describe("a page", () => {
  it.each(["focus", "pageshow", "visibilitychange"] as const)(
    "catches up on %s, in a read-only transaction",
    async (type) => {
      const [a, b] = (await tabs(2, { flushDelay: "1h" })) as [Tidegate, Tidegate];
      page.fire("pagehide");
      mark(a, "ann", 1);
      await a.flush();
      await turns();
      expect(b.profile("ann").signals).toBe(0);
      const transaction = vi.spyOn(IDBDatabase.prototype, "transaction");
      if (type === "visibilitychange") page.show("visible");
      else page.fire(type);
      await vi.waitFor(() => expect(b.profile("ann").signals).toBe(1));
      expect(new Set(transaction.mock.calls.map(([, mode]) => mode))).toEqual(new Set(["readonly"]));
    },
  );

  it("listens to nobody in the back/forward cache, and tells of what it stores on its way out", async () => {
    const posted = vi.spyOn(BroadcastChannel.prototype, "postMessage");
    const closed = vi.spyOn(BroadcastChannel.prototype, "close");
    const database = await tab();
    expect(posted.mock.calls).toMatchObject([[{ says: "hello" }]]);
    page.fire("pagehide");
    expect(closed).toHaveBeenCalledOnce();
    mark(database, "ann", 1);
    page.show("hidden");
    await vi.waitFor(() => expect(database.stats().pending).toBe(0));
    expect(posted.mock.calls.slice(1)).toMatchObject([[{ says: "stored" }]]);
    expect(closed).toHaveBeenCalledTimes(2);
  });

  it("five idle tabs write nothing, whatever they hear", async () => {
    const all = await tabs(5);
    const writes = (["add", "put", "delete", "clear"] as const).map((name) => vi.spyOn(IDBObjectStore.prototype, name));
    for (let round = 0; round < 5; round++) {
      page.show("hidden");
      page.fire("pagehide");
      page.fire("pageshow");
      page.show("visible");
      page.fire("focus");
      await Promise.all(all.map((database) => database.flush()));
      await turns();
    }
    for (const write of writes) expect(write).not.toHaveBeenCalled();
  });
});

describe("R19: kinds", () => {
  it("that another tab added are known once caught up", async () => {
    const [a] = (await tabs(1)) as [Tidegate];
    const b = await tab({ signals: { ...SIGNALS, wave: { weight: 3 } } });
    await vi.waitFor(() => expect(a.kindOf("wave")).toBe(b.kindOf("wave")));
    a.signal({ user: "ann", item: 1, kind: "wave" });
    expect(a.profile("ann").items).toEqual([{ id: "1", score: 3 }]);
  });
});

describe("R18: storage that is deleted under open tabs", () => {
  function remove(): Promise<void> {
    return new Promise((resolve, reject) => {
      const request = indexedDB.deleteDatabase(indexedDbName("tidegate"));
      request.onsuccess = () => resolve();
      request.onerror = () => reject(request.error);
    });
  }

  it("is not written back: both start empty, say so, and go on together", async () => {
    const [a, b] = (await tabs(2)) as [Tidegate, Tidegate];
    a.join("ann", "club");
    mark(a, "ann", "secret", "club");
    await a.flush();
    await same([a, b]);
    const told = [a, b].map(listen);
    await remove();
    mark(a, "ann", "another secret", "club");
    await a.flush();
    expect(a.membership("ann", "club")).toBeNull();
    expect(a.profile("ann")).toMatchObject({ signals: 0, items: [] });
    mark(a, "ann", "new", "club");
    mark(b, "ann", "lost", "club");
    await a.flush();
    await vi.waitFor(() => expect(told.map(([change]) => change)).toEqual([{ type: "reset" }, { type: "reset" }]));
    await same([a, b]);
    expect(marks(b, "ann")).toEqual({ new: 1 });
    expect(mark(b, "ann", "new", "club")).toBe("NotMember");
    b.join("ann", "club");
    expect(mark(b, "ann", "new", "club")).toBe("Recorded");
    await b.flush();
    await same([a, b]);
    const again = await tab();
    expect(marks(again, "ann")).toEqual({ new: 3 });
  });

  it("is not taken for what another tab made in its place, though that has as many rows", async () => {
    const a = await tab({ flushDelay: "1h" });
    mark(a, "ann", 1);
    await a.flush();
    await remove();
    page.fire("pagehide");
    const b = await tab({ flushDelay: "1h" });
    mark(b, "bob", 2);
    await b.flush();
    const told = listen(a);
    mark(a, "ann", 3);
    await a.flush();
    expect(told).toEqual([{ type: "reset" }]);
    await same([a, b]);
    expect([marks(a, "ann"), marks(a, "bob")]).toEqual([{}, { 2: 1 }]);
  });

  it("old exports do not count under the new database's epochs, and its kinds and options hold", async () => {
    const a = await tab({ outbox: true });
    a.join("ann", "club");
    mark(a, "ann", 1, "club");
    await a.flush();
    const { bytes, cursor } = a.exportEvents();
    await remove();
    await a.flush();
    page.fire("focus");
    await vi.waitFor(() => expect(a.memberships()).toEqual([]));
    expect(() => a.acknowledge(cursor)).toThrow(expect.objectContaining({ code: "InvalidArgument" }));
    expect(a.join("ann", "club")).toBe(0);
    a.leave("ann", "club");
    expect(a.rejoin("ann", "club")).toBe(1);
    expect(a.importEvents(bytes)).toMatchObject({ staleEpoch: 2, applied: 0 });
    expect(mass(a, "club")).toEqual({});
    mark(a, "ann", 2, "club");
    await a.flush();
    expect(a.exportEvents().bytes.length).toBeGreaterThan(bytes.length / 2);
  });
});
