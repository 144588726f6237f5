// Cases A1 … A6: what was decided about sharing holds, whatever is called and in whatever order.
import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Change, type OpenOptions, open, restore, type Tidegate } from "../../js/index.js";
import { Clock, T0, turns } from "./support/clock.js";
import { mark, marks, mass, openTest, SIGNALS } from "./support/database.js";
import { MemoryStore } from "./support/memory-store.js";
import { methods } from "./support/surface.js";

const DAY = 86_400_000;
let clock: Clock;

beforeEach(() => {
  vi.stubGlobal("indexedDB", new IDBFactory());
  clock = new Clock();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const stored = (options: OpenOptions = {}) =>
  open({ storage: "indexeddb", now: clock.now, signals: SIGNALS, ...options });

describe("A1: queued work does not land after a leave", () => {
  it("one signal, a leave, a day of timers, a reload: the aggregate never changes again", async () => {
    let database = await stored();
    database.join("ann", 7);
    expect(mark(database, "ann", 100, 7)).toBe("Recorded");
    const before = mass(database, 7);
    expect(before).toEqual({ 100: 1 });
    clock.time = T0 + 1;
    database.leave("ann", 7);
    expect(mark(database, "ann", 100, 7)).toBe("Left");
    await database.flush();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    clock.time += DAY;
    await vi.advanceTimersByTimeAsync(DAY);
    vi.useRealTimers();
    expect(mass(database, 7)).toEqual(before);
    await database.close();
    database = await stored();
    expect(mass(database, 7)).toEqual(before);
    expect(marks(database, "ann")).toEqual({ 100: 2 });
    await database.close();
  });

  it("the same through signalBatch", async () => {
    let database = await stored();
    database.join("ann", 7);
    const kind = database.kindOf("mark");
    const batch = {
      user: "ann",
      items: BigUint64Array.of(database.idOf(100), database.idOf(101)),
      kinds: Uint16Array.of(kind, kind),
      community: 7,
    };
    expect(database.signalBatch(batch)).toEqual({ recorded: 2, gated: 0 });
    clock.time = T0 + 1;
    database.leave("ann", 7);
    expect(database.signalBatch(batch)).toEqual({ recorded: 0, gated: 2 });
    await database.close();
    database = await stored();
    expect(database.signalBatch(batch)).toEqual({ recorded: 0, gated: 2 });
    expect(mass(database, 7)).toEqual({ 100: 1, 101: 1 });
    expect(marks(database, "ann")).toEqual({ 100: 3, 101: 3 });
    await database.close();
  });
});

describe("A1: with an outbox", () => {
  it("nothing of the leaver is exported any more but the leave", async () => {
    const database = await stored({ outbox: true });
    database.join("ann", 7);
    database.join("bob", 7);
    mark(database, "ann", 100, 7);
    mark(database, "bob", 101, 7);
    await database.flush();
    clock.time = T0 + 1;
    database.leave("ann", 7);
    // The leave is pending, and what waited of the leaver is left out already.
    const early = await openTest({ now: clock.now });
    expect(early.importEvents(database.exportEvents().bytes).applied).toBe(2);
    expect(mass(early, 7)).toEqual({ 101: 1 });
    await early.close();
    mark(database, "ann", 102, 7);
    await database.flush();
    const late = await openTest({ now: clock.now });
    expect(late.importEvents(database.exportEvents().bytes).applied).toBe(3);
    expect(late.membership("ann", 7)).toMatchObject({ state: "Left", contributing: false });
    expect(mass(late, 7)).toEqual({ 101: 1 });
    await late.close();
    await database.close();
  });
});

describe("A2: there is no side door", () => {
  type Row = (database: Tidegate) => unknown;
  /** Calls every method, for the user who left. `close` comes last, and what opens the gate again before it. */
  const table: Record<string, Row> = {
    upsertItems: (database) => database.upsertItems([{ id: 100, categories: ["x"], creator: "ann" }]),
    removeItems: (database) => database.removeItems([55]),
    leave: (database) => database.leave("ann", 7),
    membership: (database) => database.membership("ann", 7),
    memberships: (database) => database.memberships("ann"),
    membershipEpoch: (database) => database.membershipEpoch("ann", 7),
    leaveCommunityLayer: (database) => database.leaveCommunityLayer("ann"),
    rejoinCommunityLayer: (database) => database.rejoinCommunityLayer("ann"),
    communityLayerStatus: (database) => database.communityLayerStatus("ann"),
    setCohorts: (database) => database.setCohorts("ann", [7]),
    cohorts: (database) => database.cohorts("ann"),
    signal: (database) => expect(mark(database, "ann", 100, 7)).toBe("Left"),
    signalBatch: (database) => {
      const [items, kinds] = [BigUint64Array.of(100n), Uint16Array.of(database.kindOf("mark"))];
      expect(database.signalBatch({ user: "ann", items, kinds, community: 7 })).toEqual({ recorded: 0, gated: 1 });
    },
    idOf: (database) => database.idOf("ann"),
    kindOf: (database) => database.kindOf("mark"),
    query: (database) => database.query({ user: "ann", community: 7 }),
    profile: (database) => database.profile("ann"),
    snapshot: async (database) => {
      // What is pending is not in it.
      await database.flush();
      const copy = await restore(database.snapshot(), { storage: "memory", now: clock.now, signals: SIGNALS });
      // A copy keeps closures (R17).
      expect(mark(copy, "ann", 100, 7)).toBe("Left");
      expect(mass(copy, 7)).toEqual({ 100: 2 });
      await copy.close();
    },
    exportEvents: async (database) => {
      // Another device that takes it in counts nothing of the leaver either.
      const other = await openTest({ now: clock.now });
      expect(other.importEvents(database.exportEvents().bytes)).toMatchObject({ gated: 0 });
      expect(mass(other, 7)).toEqual({});
      await other.close();
    },
    acknowledge: (database) => database.acknowledge(database.exportEvents().cursor),
    importEvents: async (database) => {
      // The same person on another device, where nothing is known of the leave.
      const other = await openTest({ now: clock.now, outbox: true });
      other.join("ann", 7);
      mark(other, "ann", 100, 7);
      expect(database.importEvents(other.exportEvents().bytes)).toMatchObject({ staleEpoch: 0, gated: 1 });
      await other.close();
    },
    flush: (database) => database.flush(),
    stats: (database) => database.stats(),
    on: (database) => {
      const stop = database.on("change", () => mark(database, "ann", 100, 7));
      database.leaveCommunityLayer("ann");
      database.rejoinCommunityLayer("ann");
      stop();
    },
    forgetUser: (database) => {
      database.forgetUser("ann");
      expect(mark(database, "ann", 100, 7)).toBe("Left");
    },
    rejoin: (database) => {
      expect(database.rejoin("ann", 7)).toBe(1);
      database.leave("ann", 7);
    },
    join: (database) => {
      expect(database.join("ann", 7)).toBe(2);
      database.leave("ann", 7);
    },
    close: (database) => database.close(),
    "[Symbol.asyncDispose]": (database) => database[Symbol.asyncDispose](),
  };

  it("the table has every method", () => {
    expect(Object.keys(table).sort()).toEqual(methods());
  });

  it.each([false, true])("no method changes the aggregate after a leave, with outbox: %s", async (outbox) => {
    const database = await stored({ outbox });
    database.join("ann", 7);
    mark(database, "ann", 100, 7);
    mark(database, "ann", 100, 7);
    expect(mass(database, 7)).toEqual({ 100: 2 });
    database.leave("ann", 7);
    for (const [name, call] of Object.entries(table)) {
      await call(database);
      if (!database.closed) expect(mass(database, 7), name).toEqual({ 100: 2 });
    }
    const again = await stored();
    expect(mass(again, 7)).toEqual({ 100: 2 });
    await again.close();
  });
});

describe("A4: an opt-out is not forgotten on reload", () => {
  it("a signal in the microtask in which open resolves is gated", async () => {
    const database = await stored();
    database.join("ann", 7);
    database.leave("ann", 7);
    database.leaveCommunityLayer("bob");
    await database.close();
    const outcomes = await stored().then(async (again) => {
      const made = [mark(again, "ann", 100, 7), mark(again, "bob", 100, 7)];
      expect(mass(again, 7)).toEqual({});
      await again.close();
      return made;
    });
    expect(outcomes).toEqual(["Left", "LayerLeft"]);
  });

  it("five idle rounds change no byte and write nothing", async () => {
    const store = new MemoryStore();
    const round = () => open({ storage: store, now: clock.now, signals: SIGNALS });
    const database = await round();
    database.join("ann", 7);
    mark(database, "ann", 100, 7);
    database.leave("ann", 7);
    await database.close();
    const { stored: before, writes } = structuredClone({ stored: store.stored, writes: store.writes });
    for (let count = 0; count < 5; count++) {
      clock.time += DAY;
      const idle = await round();
      idle.query({ user: "ann", community: 7 });
      idle.profile("ann");
      idle.snapshot();
      await idle.flush();
      await idle.close();
    }
    expect({ stored: store.stored, writes: store.writes }).toEqual({ stored: before, writes });
  });
});

describe("A5: consent fills nothing in", () => {
  it.each(["at once", "after a reload", "after a compaction"])(
    "what was done while left never counts, %s",
    async (way) => {
      let database = await stored();
      database.join("ann", 7);
      mark(database, "ann", 100, 7);
      database.leave("ann", 7);
      for (let count = 0; count < 5; count++) expect(mark(database, "ann", 200, 7)).toBe("Left");
      if (way === "after a reload") {
        await database.close();
        database = await stored();
      }
      if (way === "after a compaction") {
        // Forgetting somebody makes one due.
        mark(database, "bob", 999);
        database.forgetUser("bob");
        await database.flush();
        await turns();
        await database.close();
        database = await stored();
      }
      expect(database.rejoin("ann", 7)).toBe(1);
      expect(mark(database, "ann", 300, 7)).toBe("Recorded");
      expect(mass(database, 7)).toEqual({ 100: 1, 300: 1 });
      expect(marks(database, "ann")).toEqual({ 100: 1, 200: 5, 300: 1 });
      await database.close();
    },
  );
});

describe("A6: toggles", () => {
  it("joins, leaves and rejoins count once each, and tell once each", async () => {
    const database = await openTest({ now: clock.now });
    const changes: Change[] = [];
    database.on("change", (change) => changes.push(change));
    expect([1, 2, 3].map(() => database.join("ann", 7))).toEqual([0, 0, 0]);
    const left = [10, 50, 5].map((later) => {
      clock.time = T0 + later;
      return database.leave("ann", 7);
    });
    expect(left.map(({ epoch, stopForwardAt }) => [epoch, stopForwardAt])).toEqual([
      [0, T0 + 10],
      [0, T0 + 10],
      [0, T0 + 10],
    ]);
    expect(database.membership("ann", 7)).toMatchObject({ state: "Left", epoch: 0, stopForwardAt: T0 + 10 });
    expect([1, 2].map(() => database.rejoin("ann", 7))).toEqual([1, 1]);
    expect(database.membership("ann", 7)).toMatchObject({
      state: "Rejoined",
      epoch: 1,
      stopForwardAt: null,
      joinedAt: T0,
    });
    const states = changes.map((change) => change.type === "membership" && change.membership.state);
    expect(states).toEqual(["Joined", "Left", "Rejoined"]);
    await database.close();
  });

  it("the layer tells once per real change, and keeps the last time of leaving", async () => {
    const database = await openTest({ now: clock.now });
    const changes: Change[] = [];
    const stop = database.on("change", (change) => changes.push(change));
    expect(database.communityLayerStatus("ann")).toEqual({ user: "ann", status: "Active", leftAt: null });
    expect(database.leaveCommunityLayer("ann")).toMatchObject({ status: "Left", leftAt: T0 });
    clock.time += 5;
    expect(database.leaveCommunityLayer("ann")).toMatchObject({ status: "Left", leftAt: T0 });
    expect(database.rejoinCommunityLayer("ann")).toMatchObject({ status: "Active", leftAt: T0 });
    database.rejoinCommunityLayer("ann");
    stop();
    database.leaveCommunityLayer("ann");
    expect(changes).toEqual([
      { type: "layer", status: { user: "ann", status: "Left", leftAt: T0 } },
      { type: "layer", status: { user: "ann", status: "Active", leftAt: T0 } },
    ]);
    await database.close();
  });

  it("a listener may call back in; what it sets off is told after it", async () => {
    const errors: unknown[] = [];
    const database = await openTest({ now: clock.now, onError: (error) => errors.push(error.cause) });
    const states: string[] = [];
    const fault = new Error("listener");
    database.on("change", (change) => {
      if (change.type !== "membership") return;
      states.push(change.membership.state);
      if (change.membership.state === "Joined") database.leave("ann", 7);
      throw fault;
    });
    database.on("change", (change) => change.type === "membership" && states.push(`2 ${change.membership.state}`));
    expect(database.join("ann", 7)).toBe(0);
    expect(states).toEqual(["Joined", "2 Joined", "Left", "2 Left"]);
    expect(errors).toEqual([fault, fault]);
    expect(mark(database, "ann", 1, 7)).toBe("Left");
    await database.close();
  });
});
