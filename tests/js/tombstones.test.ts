// R10: a leave is in force again after the page was killed, whatever of it was stored.
import "fake-indexeddb/auto";
import { IDBDatabase, IDBFactory, IDBObjectStore } from "fake-indexeddb";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type OpenOptions, open, type Tidegate, type TidegateError } from "../../js/index.js";
import { localTombstones } from "../../js/tombstones.js";
import { Clock, T0, turns } from "./support/clock.js";
import { mark, marks, mass, openTest, SIGNALS } from "./support/database.js";
import { doomed } from "./support/doomed.js";
import { FakeWindow } from "./support/fake-window.js";

let clock: Clock;
let page: FakeWindow;
let errors: TidegateError[];

beforeEach(() => {
  vi.stubGlobal("indexedDB", new IDBFactory());
  page = new FakeWindow();
  clock = new Clock();
  errors = [];
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const tab = (options: OpenOptions = {}) =>
  open({ storage: "indexeddb", now: clock.now, signals: SIGNALS, onError: (error) => errors.push(error), ...options });

const tombstones = (): string[] =>
  [...page.localStorage.entries.keys()].filter((key) => key.startsWith("tidegate:left:"));

// A killed page's complaints are nobody's.
const QUIET: OpenOptions = { onError: () => {} };

async function member(options: OpenOptions = {}): Promise<Tidegate> {
  const database = await tab(options);
  database.join("ann", "club");
  mark(database, "ann", 1, "club");
  await database.flush();
  return database;
}

describe("a page that is killed right after a leave", () => {
  it("comes back left, and the leave is stored then", async () => {
    const { database: killed, kill } = await doomed(() => member(QUIET));
    mark(killed, "ann", 2, "club");
    kill();
    killed.leave("ann", "club");
    expect(page.localStorage.length).toBe(1);
    await turns();
    clock.time += 1000;
    const again = await tab();
    expect(again.membership("ann", "club")).toMatchObject({ state: "Left", epoch: 0, stopForwardAt: T0 });
    expect(mark(again, "ann", 3, "club")).toBe("Left");
    expect(mass(again, "club")).toEqual({ 1: 1 });
    expect(page.localStorage.length).toBe(0);
    await again.close();
    const third = await tab();
    expect(third.membership("ann", "club")).toMatchObject({ state: "Left" });
    expect(marks(third, "ann")).toEqual({ 1: 1, 3: 1 });
    await third.close();
  });

  it("the same for the community layer, and for a leave inside pagehide", async () => {
    const { database: killed, kill } = await doomed(() => member(QUIET));
    addEventListener("pagehide", () => {
      killed.leaveCommunityLayer("ann");
      killed.leave("ann", "club");
    });
    kill();
    page.fire("pagehide");
    await turns();
    const again = await tab();
    expect(again.communityLayerStatus("ann")).toMatchObject({ status: "Left", leftAt: T0 });
    expect(again.membership("ann", "club")).toMatchObject({ state: "Left" });
    expect(page.localStorage.length).toBe(0);
    await again.close();
  });

  it("the same for forgetUser, and large ids and names keep theirs", async () => {
    const { database: killed, kill } = await doomed(() => tab({ ...QUIET, name: "a:b \u00e9" }));
    killed.join(18446744073709551615n, 9007199254740993n);
    killed.join(18446744073709551615n, "name: with colons");
    await killed.flush();
    kill();
    killed.forgetUser(18446744073709551615n);
    await turns();
    const other = await tab();
    await other.close();
    expect(page.localStorage.length, "another database's tombstones stay").toBe(2);
    const again = await tab({ name: "a:b \u00e9" });
    expect(again.memberships().map(({ state }) => state)).toEqual(["Left", "Left"]);
    expect(page.localStorage.length).toBe(0);
    await again.close();
  });

  it("opening writes the leave or rejects nothing: with a full disk it comes back left all the same", async () => {
    const { database: killed, kill } = await doomed(() => member(QUIET));
    kill();
    killed.leave("ann", "club");
    await turns();
    const { add } = IDBObjectStore.prototype;
    const full = vi.spyOn(IDBObjectStore.prototype, "add").mockImplementation(() => {
      throw new DOMException("disk", "QuotaExceededError");
    });
    const again = await tab();
    expect(mark(again, "ann", 3, "club")).toBe("Left");
    expect(errors.map(({ code }) => code)).toContain("QuotaExceeded");
    expect(page.localStorage.length).toBe(1);
    full.mockRestore();
    expect(IDBObjectStore.prototype.add).toBe(add);
    await again.close();
    expect(page.localStorage.length).toBe(0);
  });
});

describe("a tombstone", () => {
  it("is there when leave returns and gone when durable has settled", async () => {
    const database = await member();
    const { durable } = database.leave("ann", "club");
    const [key] = page.localStorage.entries.keys();
    const ids = `${database.idOf("ann")}:${database.idOf("club")}`;
    expect(key).toMatch(new RegExp(`^tidegate:left:${ids}:\\d+:tidegate$`));
    expect(page.localStorage.getItem(String(key))).toMatch(new RegExp(`^${T0} \\d+$`));
    await durable;
    expect(page.localStorage.length).toBe(0);
    const before = [database.snapshot(), database.stats().logPosition];
    const again = database.leave("ann", "club");
    expect(page.localStorage.getItem(String(key)), "another tab may have come back").toMatch(/ again$/);
    await again.durable;
    expect(page.localStorage.length).toBe(0);
    expect([database.snapshot(), database.stats().logPosition], "leaving again changes nothing").toEqual(before);
    await database.close();
  });

  it("is removed when a rejoin that saw it is stored, which closes the gate first", async () => {
    const { database: left, kill } = await doomed(() => member(QUIET));
    const other = await tab();
    kill();
    left.leave("ann", "club");
    await turns();
    expect(other.membership("ann", "club")).toMatchObject({ state: "Joined" });
    expect(other.join("ann", "club")).toBe(1);
    expect(mark(other, "ann", 2, "club")).toBe("Recorded");
    await other.flush();
    expect(tombstones()).toEqual([]);
    expect(other.membership("ann", "club")).toMatchObject({ state: "Rejoined", epoch: 1 });
    await other.close();
    const again = await tab();
    expect(again.membership("ann", "club")).toMatchObject({ state: "Rejoined", epoch: 1 });
    await again.close();
  });

  it("of the layer is removed by a rejoin of the layer", async () => {
    const { database: left, kill } = await doomed(() => member(QUIET));
    const other = await tab();
    kill();
    left.leaveCommunityLayer("ann");
    await turns();
    expect(other.rejoinCommunityLayer("ann")).toMatchObject({ status: "Active", leftAt: T0 });
    await other.flush();
    expect(tombstones()).toEqual([]);
    expect(other.communityLayerStatus("ann").status).toBe("Active");
    await other.close();
  });

  it("of two tabs is two: who comes back in one has seen the leave in the other", async () => {
    const [first, second] = [await member(), await tab({ flushDelay: "1h" })];
    const { database: left, kill } = await doomed(() => tab(QUIET));
    kill();
    left.leave("ann", "club");
    second.leave("ann", "club");
    expect(tombstones()).toHaveLength(2);
    second.rejoin("ann", "club");
    await second.flush();
    expect(tombstones()).toEqual([]);
    const rejoined = { state: "Rejoined", epoch: 1, contributing: true };
    await vi.waitFor(() => expect(first.membership("ann", "club")).toMatchObject(rejoined));
    for (const open of [first, second]) await open.close();
  });

  it("whose leave is in the log closes nothing that was opened since, and is removed", async () => {
    const database = await member();
    const left = database.leave("ann", "club");
    database.leaveCommunityLayer("ann");
    const late = new Map(page.localStorage.entries);
    await left.durable;
    database.rejoin("ann", "club");
    database.rejoinCommunityLayer("ann");
    await database.flush();
    // As a tab sees it whose `localStorage` lags behind, and as a crash may bring it back.
    for (const [key, value] of late) page.localStorage.setItem(key, value);
    const other = await tab();
    expect(mark(other, "ann", 2, "club")).toBe("Recorded");
    await other.flush();
    expect(tombstones()).toEqual([]);
    expect(other.membership("ann", "club")).toMatchObject({ state: "Rejoined", contributing: true });
    await other.close();
    await database.close();
  });

  it("closes a rejoin that its leave had not seen, whether the leaver's tab knew of a membership or not (R3)", async () => {
    for (const again of [false, true]) {
      vi.stubGlobal("indexedDB", new IDBFactory());
      page.localStorage.entries.clear();
      const first = await member();
      if (again) await first.leave("ann", "club").durable;
      const { database: second, kill } = await doomed(() => tab(QUIET));
      kill();
      if (!again) await first.leave("ann", "club").durable;
      expect(first.rejoin("ann", "club")).toBe(1);
      await first.flush();
      // All of it within one millisecond.
      second.leave("ann", "club");
      expect(mark(first, "ann", 2, "club")).toBe("Recorded");
      await first.flush();
      expect(first.membership("ann", "club")).toMatchObject({ state: "Left", epoch: 1 });
      expect(mass(first, "club")).toEqual({ 1: 1 });
      await first.close();
    }
  });

  it("stays where what was to open the gate fails", async () => {
    const { database: left, kill } = await doomed(() => member(QUIET));
    const other = await tab();
    kill();
    left.leave("ann", "club");
    await turns();
    expect(() => other.join("ann", "club", { share: ["no such kind"] })).toThrow();
    expect(page.localStorage.length).toBe(1);
    await other.close();
    expect(page.localStorage.length).toBe(0);
  });

  it("stops another tab's pending contribution at its next flush", async () => {
    const { database: left, kill } = await doomed(() => member(QUIET));
    const other = await tab({ flushDelay: "1h" });
    expect(mark(other, "ann", 2, "club")).toBe("Recorded");
    kill();
    left.leave("ann", "club");
    await turns();
    await other.flush();
    expect(mass(other, "club")).toEqual({ 1: 1 });
    expect(marks(other, "ann")).toEqual({ 1: 1, 2: 1 });
    expect(other.stats().contributions).toEqual({ recorded: 0, gated: 1 });
    expect(page.localStorage.length).toBe(0);
    await other.close();
  });

  it("stops another tab's export at once", async () => {
    const { database: left, kill } = await doomed(() => member({ ...QUIET, outbox: true }));
    const other = await tab({ flushDelay: "1h" });
    const changes: unknown[] = [];
    other.on("change", (change) => changes.push(change));
    kill();
    left.leave("ann", "club");
    await turns();
    const device = await openTest({ now: clock.now });
    device.importEvents(other.exportEvents().bytes);
    expect(mass(device, "club")).toEqual({});
    expect(changes).toMatchObject([{ type: "membership", membership: { state: "Left" } }]);
    await device.close();
    await other.close();
  });

  it("that nobody stores is honoured by a tab that hears of it", async () => {
    const { database: left, kill } = await doomed(() => member(QUIET));
    const other = await tab();
    kill();
    left.leave("ann", "club");
    await turns();
    const [key = ""] = page.localStorage.entries.keys();
    page.fire("storage", { key, newValue: page.localStorage.getItem(key) });
    await vi.waitFor(() => expect(other.membership("ann", "club")).toMatchObject({ state: "Left" }), 2000);
    await vi.waitFor(() => expect(tombstones()).toEqual([]), 2000);
    await other.close();
  });

  it("stops another tab's export when it is gone itself, until that tab has caught up", async () => {
    const [left, behind] = [await member({ outbox: true }), await tab({ outbox: true })];
    const device = await openTest({ now: clock.now });
    expect(device.importEvents(behind.exportEvents().bytes).applied).toBe(2);
    const since = behind.exportEvents().cursor;
    const read = vi.spyOn(IDBObjectStore.prototype, "getAll").mockImplementation(() => {
      throw new DOMException("not now", "UnknownError");
    });
    mark(left, "ann", 2, "club");
    await left.leave("ann", "club").durable.catch(() => {});
    read.mockRestore();
    await left.flush();
    expect(tombstones()).toEqual([]);
    const late = behind.exportEvents({ since });
    expect(late.cursor).toBe(since);
    expect(device.importEvents(late.bytes)).toMatchObject({ applied: 0, duplicate: 0 });
    await vi.waitFor(() => expect(behind.membership("ann", "club")).toMatchObject({ state: "Left" }));
    expect(device.importEvents(behind.exportEvents().bytes).applied).toBe(1);
    expect(mass(device, "club")).toEqual({ 1: 1 });
    for (const database of [left, behind, device]) await database.close();
  });

  it("is outlived by what tells tabs of other pages that they are behind, where there may be any", async () => {
    const database = await member({ outbox: true });
    const elsewhere = new BroadcastChannel("tidegate:tidegate");
    elsewhere.postMessage({ says: "here", page: "another" });
    await turns();
    elsewhere.close();
    const device = await openTest({ now: clock.now });
    await database.leave("ann", "club").durable;
    expect(tombstones()).toEqual([]);
    const fence = page.localStorage.getItem("tidegate:fence:tidegate") ?? "";
    expect(fence.split(" ")[1]).toBe(String(database.stats().logPosition));
    expect(device.importEvents(database.exportEvents().bytes).applied, "it knows of its own leave").toBe(1);
    // As another page leaves it that has stored more.
    page.localStorage.setItem("tidegate:fence:tidegate", fence.replace(/\d+$/, "1000000"));
    const behind = database.exportEvents();
    expect(device.importEvents(behind.bytes)).toMatchObject({ applied: 0, duplicate: 0 });
    database.acknowledge(behind.cursor);
    page.localStorage.setItem("tidegate:fence:tidegate", `1${fence.replace(/\d+$/, "1000000")}`);
    expect(device.importEvents(database.exportEvents().bytes).duplicate, "of another database").toBe(1);
    for (const open of [database, device]) await open.close();
  });

  it("works in a page without localStorage as long as that lasts: a leave closes a rejoin that it had not seen (R3)", async () => {
    vi.stubGlobal("localStorage", undefined);
    const first = await member();
    await first.leave("ann", "club").durable;
    const second = await tab({ flushDelay: "1h" });
    const closed = vi.spyOn(BroadcastChannel.prototype, "postMessage").mockImplementation(() => {});
    first.rejoin("ann", "club");
    await first.flush();
    expect(second.membership("ann", "club")).toMatchObject({ state: "Left", epoch: 0 });
    await second.leave("ann", "club").durable;
    closed.mockRestore();
    expect(second.membership("ann", "club")).toMatchObject({ state: "Left", epoch: 1 });
    for (const open of [first, second]) await open.close();
  });

  it("of a membership that was never stored stays until somebody joins, who has seen it then", async () => {
    const { database: killed, kill } = await doomed(() => tab(QUIET));
    kill();
    killed.join("ann", "club");
    killed.leave("ann", "club");
    const again = await tab();
    expect(again.membership("ann", "club")).toBeNull();
    expect(tombstones()).toHaveLength(1);
    const transaction = vi.spyOn(IDBDatabase.prototype, "transaction");
    await again.flush();
    expect(transaction, "idle").not.toHaveBeenCalled();
    expect(again.join("ann", "club")).toBe(0);
    expect(mark(again, "ann", 1, "club")).toBe("Recorded");
    await again.flush();
    expect(tombstones()).toEqual([]);
    expect(again.membership("ann", "club")).toMatchObject({ state: "Joined", contributing: true });
    await again.close();
  });

  it("is not written in memory, and where there is no localStorage a leave works as well", async () => {
    const memory = await openTest();
    memory.join("ann", "club");
    memory.leave("ann", "club");
    memory.leaveCommunityLayer("ann");
    expect(page.localStorage.length).toBe(0);
    await memory.close();
    vi.stubGlobal("localStorage", undefined);
    expect(localTombstones("x")).toBeUndefined();
    const database = await member();
    await database.leave("ann", "club").durable;
    await database.close();
  });

  it("cannot be had where reading the property throws, nor written where it is full: told, and the leave stands", async () => {
    page.localStorage.full = true;
    const database = await member();
    const { durable } = database.leave("ann", "club");
    expect(errors.map(({ code }) => code)).toEqual(["Storage"]);
    await durable;
    await database.close();
    Object.defineProperty(globalThis, "localStorage", {
      configurable: true,
      get() {
        throw new DOMException("forbidden", "SecurityError");
      },
    });
    expect(localTombstones("x")).toBeUndefined();
  });
});
