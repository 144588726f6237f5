// Events for other devices (R7, R12, R17): D2, D4, the outbox, and what is refused.
import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Change, type ImportReport, type OpenOptions, open, restore, type Tidegate } from "../../js/index.js";
import { Clock, T0 } from "./support/clock.js";
import { mark, marks, mass, openTest, SIGNALS } from "./support/database.js";
import { expectThrow } from "./support/errors.js";
import { MemoryStore } from "./support/memory-store.js";

let clock: Clock;
let phone: Tidegate;
let laptop: Tidegate;

beforeEach(async () => {
  vi.stubGlobal("indexedDB", new IDBFactory());
  clock = new Clock();
  phone = await device();
  laptop = await device();
});
afterEach(async () => {
  await phone.close();
  await laptop.close();
  vi.unstubAllGlobals();
});

const device = (options: OpenOptions = {}) => openTest({ now: clock.now, outbox: true, ...options });

const NONE: ImportReport = { applied: 0, duplicate: 0, staleEpoch: 0, futureEpoch: 0, gated: 0, notMember: 0 };
const report = (counts: Partial<ImportReport>): ImportReport => ({ ...NONE, ...counts });

describe("an exchange", () => {
  it("gives another device the aggregates and the names, and nothing local", async () => {
    phone.join("ann", "club");
    phone.upsertItems([{ id: "film", categories: ["drama"] }]);
    phone.setCohorts("ann", ["grown-ups"]);
    mark(phone, "ann", "film", "club");
    mark(phone, "ann", "secret");
    phone.signal({ user: "ann", item: "film", kind: "hide" });
    const { bytes } = phone.exportEvents();
    const words = new TextDecoder("latin1").decode(bytes);
    for (const local of ["secret", "drama", "grown-ups", "hide"]) expect(words).not.toContain(local);
    expect(laptop.importEvents(bytes)).toEqual(report({ applied: 2 }));
    expect(mass(laptop, "club")).toEqual({ film: 1 });
    expect(laptop.profile("ann")).toMatchObject({ signals: 0, seen: 0, hidden: [], items: [] });
    expect(laptop.membership("ann", "club")).toMatchObject({ user: "ann", state: "Joined", contributing: false });
    expect(mark(laptop, "ann", "film", "club")).not.toBe("Recorded");
    expect(laptop.join("ann", "club")).toBe(0);
    expect(mark(laptop, "ann", "film", "club")).toBe("Recorded");
  });

  it("tells of imported joins and leaves, once each", () => {
    const told: Change[] = [];
    laptop.on("change", (change) => told.push(change));
    phone.join("ann", "club");
    const { bytes } = phone.exportEvents();
    laptop.importEvents(bytes);
    laptop.importEvents(bytes);
    phone.leave("ann", "club");
    laptop.importEvents(phone.exportEvents().bytes);
    const states = told.map((change) => change.type === "membership" && change.membership.state);
    expect(states).toEqual(["Joined", "Left"]);
  });

  it("an imported leave closes the gate here, and is stored without waiting", async () => {
    const store = new MemoryStore();
    const stored = await open({ storage: store, now: clock.now, signals: SIGNALS, flushDelay: "1h" });
    stored.join("ann", "club");
    await stored.flush();
    phone.join("ann", "club");
    phone.leave("ann", "club");
    expect(stored.importEvents(phone.exportEvents().bytes)).toEqual(report({ applied: 1 }));
    expect(mark(stored, "ann", 1, "club")).toBe("Left");
    await vi.waitFor(() => expect(store.stored?.rows).toHaveLength(2));
    await stored.close();
    const again = await open({ storage: store, now: clock.now, signals: SIGNALS });
    expect(mark(again, "ann", 1, "club")).toBe("Left");
    await again.close();
  });

  it("takes any view and leaves it as it was; what comes back is a copy", () => {
    phone.join("ann", "club");
    mark(phone, "ann", 1, "club");
    const { bytes } = phone.exportEvents();
    expect({ offset: bytes.byteOffset, length: bytes.buffer.byteLength }).toEqual({ offset: 0, length: bytes.length });
    const around = new Uint8Array(bytes.length + 7);
    around.set(bytes, 3);
    const view = around.subarray(3, 3 + bytes.length);
    const before = around.slice();
    expect(laptop.importEvents(view)).toEqual(report({ applied: 2 }));
    expect(around).toEqual(before);
    const other = new DataView(around.buffer, 3, bytes.length) as unknown as Uint8Array;
    expect(laptop.importEvents(other)).toEqual(report({ duplicate: 2 }));
  });

  it("kinds travel by name, and can be used at once", async () => {
    const own = await device({ signals: { ...SIGNALS, wave: { weight: 3 } } });
    own.join("ann", "club");
    own.signal({ user: "ann", item: 1, kind: "wave", community: "club" });
    expectThrow(() => laptop.kindOf("wave"), "UnknownKind", "kind");
    laptop.importEvents(own.exportEvents().bytes);
    laptop.signal({ user: "bob", item: 1, kind: "wave" });
    expect(laptop.profile("bob").items).toEqual([{ id: "1", score: 3 }]);
    await own.close();
  });
});

describe("D2: an old epoch that is replayed", () => {
  it("counts in no later epoch, from this database or another, and what is from a later epoch is not parked", async () => {
    phone.join("ann", "club");
    for (let item = 0; item < 5; item++) mark(phone, "ann", item, "club");
    const old = phone.exportEvents().bytes;
    phone.acknowledge(phone.exportEvents().cursor);
    laptop.join("ann", "club");
    laptop.leave("ann", "club");
    laptop.rejoin("ann", "club");
    expect(laptop.importEvents(old)).toEqual(report({ staleEpoch: 6 }));
    expect(mass(laptop, "club")).toEqual({});

    phone.leave("ann", "club");
    phone.rejoin("ann", "club");
    mark(phone, "ann", 9, "club");
    expect(phone.importEvents(old)).toEqual(report({ duplicate: 6 }));
    expect(mass(phone, "club")).toEqual({ 0: 1, 1: 1, 2: 1, 3: 1, 4: 1, 9: 1 });

    // The transition is missing: the range before it was never delivered.
    const { cursor } = phone.exportEvents();
    mark(phone, "ann", 10, "club");
    const late = phone.exportEvents({ since: cursor }).bytes;
    const third = await device();
    expectThrow(() => third.importEvents(late), "SequenceGap");
    expect(third.memberships()).toEqual([]);
    await third.close();
  });

  it("of a user who never joined counts nothing", async () => {
    phone.join("ann", "club");
    phone.acknowledge(phone.exportEvents().cursor);
    mark(phone, "ann", 1, "club");
    const { bytes } = phone.exportEvents();
    const third = await device();
    expectThrow(() => third.importEvents(bytes), "SequenceGap");
    expect(mass(third, "club")).toEqual({});
    await third.close();
  });
});

describe("D4: what was taken in counts once, for ever", () => {
  it("10 000 events, again: in whole batches forward and reversed, twice, after a reload and a restore", async () => {
    const store = new MemoryStore();
    let here = await open({ storage: store, now: clock.now, signals: SIGNALS });
    phone.join("ann", "club");
    const batches: Uint8Array[] = [];
    let since: string | undefined;
    const kinds = new Uint16Array(1000).fill(phone.kindOf("mark"));
    for (let batch = 0; batch < 10; batch++) {
      const items = BigUint64Array.from(kinds, (_, index) => BigInt(index % 10));
      expect(phone.signalBatch({ user: "ann", items, kinds, community: "club" })).toEqual({ recorded: 1000, gated: 0 });
      const { bytes, cursor } = phone.exportEvents(since === undefined ? {} : { since });
      batches.push(bytes);
      since = cursor;
    }
    const take = (database: Tidegate, list: Uint8Array[]) => list.map((bytes) => database.importEvents(bytes));
    expect(take(here, batches).reduce((sum, { applied }) => sum + applied, 0)).toBe(10_001);
    const once = mass(phone, "club");
    expect(once).toEqual(Object.fromEntries(Array.from({ length: 10 }, (_, item) => [item, 1000])));
    const again = (database: Tidegate, list: Uint8Array[]) => {
      for (const outcome of take(database, list)) expect(outcome).toEqual(report({ duplicate: outcome.duplicate }));
      expect(mass(database, "club")).toEqual(once);
    };
    again(here, batches);
    again(here, [...batches].reverse());
    await here.close();
    here = await open({ storage: store, now: clock.now, signals: SIGNALS });
    again(here, batches);
    const copy = await restore(here.snapshot(), { storage: "memory", now: clock.now, signals: SIGNALS });
    again(copy, batches);
    await copy.close();
    await here.close();
  });

  it("a batch that was left out is missed", () => {
    phone.join("ann", "club");
    const first = phone.exportEvents();
    mark(phone, "ann", 1, "club");
    const second = phone.exportEvents({ since: first.cursor });
    expectThrow(() => laptop.importEvents(second.bytes), "SequenceGap");
    laptop.importEvents(first.bytes);
    expect(laptop.importEvents(second.bytes)).toEqual(report({ applied: 1 }));
  });
});

describe("the outbox", () => {
  const stored = (storage: MemoryStore, options: OpenOptions = {}) =>
    open({ storage, now: clock.now, signals: SIGNALS, ...options });
  const waits = async (database: Tidegate): Promise<number> => {
    const other = await device();
    const { applied } = other.importEvents(database.exportEvents().bytes);
    await other.close();
    return applied;
  };

  it("keeps what is stored until it is acknowledged, over reloads; a community's cursor drops that community only", async () => {
    const store = new MemoryStore();
    let database = await stored(store, { outbox: true });
    for (const community of ["club", "choir"]) database.join("ann", community);
    mark(database, "ann", 1, "club");
    await database.close();
    // Not asked for, the setting stays as it is.
    database = await stored(store);
    expect(await waits(database)).toBe(3);
    const { cursor } = database.exportEvents({ communities: new Set(["club"]) });
    database.acknowledge(cursor);
    database.acknowledge(cursor);
    await database.flush();
    expect(await waits(database)).toBe(1);
    await database.close();
    database = await stored(store);
    expect(await waits(database)).toBe(1);
    await database.close();
  });

  it("is off by default, and off again, with nothing kept, where that is asked for", async () => {
    const store = new MemoryStore();
    let database = await stored(store);
    database.join("ann", "club");
    await database.close();
    database = await stored(store, { outbox: true });
    expect(store.stored?.rows, "the setting is stored when open resolves").toHaveLength(2);
    expect(await waits(database)).toBe(0);
    database.leave("ann", "club");
    database.rejoin("ann", "club");
    await database.flush();
    expect(await waits(database)).toBe(2);
    await database.close();
    database = await stored(store, { outbox: false });
    expect(await waits(database)).toBe(0);
    await database.close();
  });

  it("exports what is stored only", async () => {
    const database = await stored(new MemoryStore(), { outbox: true, flushDelay: "1h" });
    database.join("ann", "club");
    await database.flush();
    mark(database, "ann", 1, "club");
    expect(await waits(database)).toBe(1);
    await database.flush();
    expect(await waits(database)).toBe(2);
    await database.close();
  });

  it("of a restored copy is empty, and its events are another's", async () => {
    phone.join("ann", "club");
    mark(phone, "ann", 1, "club");
    const copy = await restore(phone.snapshot(), { storage: "memory", now: clock.now, signals: SIGNALS });
    expect(laptop.importEvents(copy.exportEvents().bytes)).toEqual(NONE);
    expect(copy.importEvents(phone.exportEvents().bytes)).toEqual(report({ duplicate: 2 }));
    expectThrow(() => copy.acknowledge(phone.exportEvents().cursor), "InvalidArgument", "cursor");
    await copy.close();
  });
});

describe("what is refused changes nothing (R8)", () => {
  it("every prefix, every flipped byte, trailing bytes, noise", () => {
    phone.join("ann", "club");
    mark(phone, "ann", "film", "club");
    const { bytes } = phone.exportEvents();
    const before = laptop.snapshot();
    const damaged = [Uint8Array.of(), Uint8Array.of(...bytes, 0), Uint8Array.of(...bytes, ...bytes)];
    damaged.push(new Uint8Array(1_000_000).fill(7));
    for (let index = 0; index < bytes.length; index++) {
      damaged.push(bytes.slice(0, index));
      damaged.push(bytes.map((byte, at) => (at === index ? byte ^ 0x55 : byte)));
    }
    for (const wrong of damaged) {
      expect(() => laptop.importEvents(wrong)).toThrow(
        expect.objectContaining({ code: expect.stringMatching(/^(CorruptEvents|UnsupportedVersion)$/) }),
      );
    }
    expect(laptop.snapshot()).toEqual(before);
    expect(laptop.importEvents(bytes)).toEqual(report({ applied: 2 }));
  });

  it("wrong arguments, each by name", () => {
    for (const bytes of [null, undefined, "bytes", 5, {}, [1, 2]]) {
      expectThrow(() => phone.importEvents(bytes as unknown as Uint8Array), "InvalidArgument", "bytes");
    }
    const foreign = laptop.exportEvents().cursor;
    for (const cursor of [null, 5, "", "zz", foreign, {}]) {
      expectThrow(() => phone.acknowledge(cursor as string), "InvalidArgument", "cursor");
      expectThrow(() => phone.exportEvents({ since: cursor as string }), "InvalidArgument", "since");
    }
    expectThrow(() => phone.exportEvents({ communities: "club" }), "InvalidArgument", "communities");
    expectThrow(() => phone.exportEvents({ communities: [1, 2.5] }), "InvalidId", "communities[1]");
    expectThrow(() => phone.exportEvents(5 as unknown as object), "InvalidArgument", "options");
  });

  it("more kinds than there is room for", async () => {
    const many = (prefix: string) =>
      Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`${prefix}${index}`, {}]));
    const [a, b] = [await device({ signals: many("a") }), await device({ signals: many("b") })];
    a.join("ann", "club");
    for (let index = 0; index < 200; index++) {
      a.signal({ user: "ann", item: 1, kind: `a${index}`, community: "club" });
    }
    const before = b.snapshot();
    expectThrow(() => b.importEvents(a.exportEvents().bytes), "InvalidArgument", "bytes");
    expect(b.snapshot()).toEqual(before);
    await a.close();
    await b.close();
  });
});

describe("time", () => {
  it("of another device that runs far ahead does not make what is here look old", () => {
    phone.join("ann", "club");
    laptop.join("bob", "club");
    clock.time = T0 + 100 * 365 * 86_400_000;
    phone.signal({ user: "ann", item: 1, kind: "hour", community: "club" });
    clock.time = T0;
    laptop.signal({ user: "bob", item: 1, kind: "hour", community: "club" });
    laptop.importEvents(phone.exportEvents().bytes);
    const [item] = laptop.query({ user: "bob", community: "club", includeSeen: true }).items;
    expect(item?.community).toBeCloseTo(2 / 22, 9);
    expect(marks(laptop, "ann")).toEqual({});
  });
});
