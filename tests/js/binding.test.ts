// Cases B1, B3, B6 and B8: what crosses between TypeScript and WebAssembly is exact, plain, and given back.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { restore, type Tidegate } from "../../js/index.js";
import { Clock, T0 } from "./support/clock.js";
import { mark, marks, openTest } from "./support/database.js";
import { expectReject, expectThrow } from "./support/errors.js";
import { MemoryStore } from "./support/memory-store.js";
import { methods } from "./support/surface.js";

let database: Tidegate;

beforeEach(async () => {
  database = await openTest({ dimensions: 2 });
});
afterEach(async () => {
  await database.close();
});

describe("B1: 64-bit ids", () => {
  const users = [9_007_199_254_740_992n, 9_007_199_254_740_993n, 18_446_744_073_709_551_615n];

  it("are three users, as bigint and as string, and exact through snapshot and restore", async () => {
    for (const [index, user] of users.entries()) {
      for (let count = 0; count <= index; count++) mark(database, count % 2 === 0 ? user : String(user), user);
    }
    const copy = await restore(database.snapshot(), { storage: "memory", now: new Clock().now });
    for (const one of [database, copy]) {
      for (const [index, user] of users.entries()) {
        for (const id of [user, String(user)]) {
          expect(one.profile(id).user).toBe(String(user));
          expect(marks(one, id)).toEqual({ [String(user)]: index + 1 });
          expect(one.idOf(id)).toBe(user);
        }
      }
    }
    expect(copy.snapshot().length).toBe(database.snapshot().length);
    await copy.close();
  });

  it("a number above the safe integers is InvalidId", () => {
    for (const user of [Number.MAX_SAFE_INTEGER + 1, 2 ** 53, 1e300]) {
      expectThrow(() => mark(database, user, 1), "InvalidId", "user");
      expectThrow(() => mark(database, 1, user), "InvalidId", "item");
    }
  });

  it("names are given back wherever an id is, and survive a restore", async () => {
    database.upsertItems([{ id: "film", creator: "ann", categories: ["drama"] }]);
    database.join("bob", "club");
    database.setCohorts("bob", ["grown-ups", 7]);
    mark(database, "bob", "film", "club");
    const copy = await restore(database.snapshot(), { storage: "memory" });
    for (const one of [database, copy]) {
      expect(one.membership("bob", "club")).toMatchObject({ user: "bob", community: "club" });
      expect([...one.cohorts("bob")].sort()).toEqual(["7", "grown-ups"]);
      expect(one.query({ user: "bob" }).items[0]?.id).toBe("film");
      expect(one.profile("bob")).toMatchObject({ user: "bob", items: [{ id: "film" }], creators: [{ id: "ann" }] });
    }
    await copy.close();
  });

  it("a name in a batch is the id that idOf gives, and is given back", () => {
    const items = BigUint64Array.of(database.idOf("film"));
    database.signalBatch({ user: "bob", items, kinds: Uint16Array.of(database.kindOf("mark")) });
    expect(marks(database, "bob")).toEqual({ film: 1 });
  });
});

describe("B3: shapes", () => {
  it("every result is plain, has null for what is absent, and survives structuredClone and JSON", () => {
    database.upsertItems([{ id: "film", vector: [1, 0], categories: ["drama"], creator: "ann", createdAt: T0 }]);
    const join = database.join("bob", 7);
    const membership = database.membership("bob", 7);
    mark(database, "bob", "film", 7);
    const query = database.query({ user: "bob", community: 7, includeSeen: true });
    const profile = database.profile("bob");
    const receipt = database.leave("bob", 7);
    const layer = database.leaveCommunityLayer("bob");
    const stats = database.stats();
    expect(join).toBe(0);
    const row = { user: "bob", community: "7", epoch: 0, sharePolicyVersion: 1, joinedAt: T0 };
    expect(membership).toEqual({ ...row, state: "Joined", stopForwardAt: null, contributing: true });
    expect(receipt).toEqual({ user: "bob", community: "7", epoch: 0, stopForwardAt: T0 });
    expect(layer).toEqual({ user: "bob", status: "Left", leftAt: T0 });
    const number = expect.any(Number);
    expect(query).toEqual({
      items: [{ id: "film", score: number, local: number, community: number, cohort: 0 }],
      policyMetadata: { membershipEpoch: 0, membershipState: "Joined", sharePolicyVersion: 1 },
      stats: { membershipEpoch: 0, candidates: 1, seen: 0, hidden: 0, durationMs: number },
    });
    expect(profile).toEqual({
      user: "bob",
      signals: 1,
      seen: 0,
      hidden: [],
      items: [{ id: "film", score: 1 }],
      categories: [{ name: "drama", score: 1 }],
      creators: [{ id: "ann", score: 1 }],
      preference: Float32Array.of(1, 0),
    });
    expect(stats).toEqual({
      users: number,
      items: 1,
      memberships: 1,
      contributions: { recorded: 1, gated: 0 },
      pending: 0,
      logPosition: number,
      wasmBytes: number,
    });
    const results = { membership, receipt, layer, query, stats, profile: { ...profile, preference: null } };
    for (const [name, result] of Object.entries(results)) {
      expect(structuredClone(result), name).toEqual(result);
      expect(JSON.parse(JSON.stringify(result)), name).toEqual(result);
      everyValue(result, (value, path) => {
        const plain = typeof value !== "object" || value === null || Array.isArray(value);
        expect(plain || Object.getPrototypeOf(value) === Object.prototype, `${name}${path} is plain`).toBe(true);
        expect(value, `${name}${path}`).not.toBeUndefined();
        if (typeof value === "number") expect(Number.isFinite(value), `${name}${path} is finite`).toBe(true);
      });
    }
    expect(structuredClone(profile)).toEqual(profile);
  });

  it("receipts carry a promise of nothing", async () => {
    database.join("bob", 7);
    expect(await database.leave("bob", 7).durable).toBeUndefined();
    expect(await database.leaveCommunityLayer("bob").durable).toBeUndefined();
    database.rejoin("bob", 7);
    const [receipt] = database.forgetUser("bob");
    expect(receipt).toEqual({ user: "bob", community: "7", epoch: 1, stopForwardAt: T0 });
    expect(await receipt?.durable).toBeUndefined();
  });

  it("sums of parts are scores, at every diversity", () => {
    database.upsertItems(
      [1, 2, 3].map((id) => ({ id, categories: ["a"], creator: 1, vector: [id, 1], createdAt: T0 })),
    );
    database.join("bob", 7);
    database.setCohorts("bob", [3]);
    for (const item of [1, 2, 3]) mark(database, "bob", item, 7);
    for (const diversity of [0, 0.3, 1]) {
      const query = { user: "bob", community: 7, cohort: 3, includeSeen: true, diversity };
      for (const { score, local, community, cohort } of database.query(query).items) {
        expect(local + community + cohort).toBe(score);
        expect([local, community, cohort].every((part) => part > 0)).toBe(true);
      }
    }
  });
});

describe("B6: after close, and leaks", () => {
  it("closing twice is fine, and every other call says Closed", async () => {
    await Promise.all([database.close(), database.close()]);
    await database[Symbol.asyncDispose]();
    for (const method of methods()) {
      if (method === "close" || method === "[Symbol.asyncDispose]") continue;
      const call = () => (database as unknown as Record<string, () => unknown>)[method]?.();
      if (method === "flush") await expectReject(call() as Promise<void>, "Closed");
      else expectThrow(call, "Closed");
    }
    expect({ closed: database.closed, name: database.name, persistent: database.persistent }).toEqual({
      closed: true,
      name: "tidegate",
      persistent: false,
    });
  });

  it("20 000 queries do not grow the memory", () => {
    database.upsertItems(Array.from({ length: 200 }, (_, id) => ({ id, vector: [id, 1], categories: ["a"] })));
    const ask = (): void => {
      for (let count = 0; count < 10_000; count++) {
        database.query({ user: `user ${count % 10}`, candidates: [1, 2, 3, "film"], limit: 3, diversity: count % 2 });
      }
    };
    ask();
    const half = database.stats().wasmBytes;
    ask();
    expect(database.stats().wasmBytes).toBe(half);
  });

  it("2 000 rounds of open and close do not grow the memory", async () => {
    const rounds = async (): Promise<void> => {
      for (let count = 0; count < 1_000; count++) {
        const one = await openTest({ storage: new MemoryStore() });
        one.join("ann", 7);
        for (let item = 0; item < 20; item++) mark(one, "ann", `item ${item}`, 7);
        one.query({ user: "ann", community: 7 });
        await one.close();
      }
    };
    await rounds();
    const half = database.stats().wasmBytes;
    await rounds();
    expect(database.stats().wasmBytes).toBe(half);
  });
});

describe("B8: bytes do not alias memory", () => {
  it("a snapshot is a copy with a buffer of its own", () => {
    mark(database, "ann", 1);
    const snapshot = database.snapshot();
    const copy = snapshot.slice();
    expect([snapshot.byteOffset, snapshot.buffer.byteLength]).toEqual([0, snapshot.length]);
    const { wasmBytes } = database.stats();
    const items = Array.from({ length: 20_000 }, (_, id) => ({ id, vector: [id, 1], categories: [`category ${id}`] }));
    database.upsertItems(items);
    expect(database.stats().wasmBytes).toBeGreaterThan(wasmBytes);
    expect(snapshot).toEqual(copy);
    snapshot.fill(0);
    expect(marks(database, "ann")).toEqual({ 1: 1 });
  });

  it("restore takes any view and leaves it as it was", async () => {
    mark(database, "ann", 1);
    const snapshot = database.snapshot();
    const padded = new Uint8Array(snapshot.length + 16).fill(7);
    padded.set(snapshot, 8);
    const shared = new Uint8Array(new SharedArrayBuffer(snapshot.length));
    shared.set(snapshot);
    const views: unknown[] = [
      padded.subarray(8, 8 + snapshot.length),
      new DataView(padded.buffer, 8, snapshot.length),
      Buffer.from(snapshot),
      snapshot.buffer,
      shared,
    ];
    const before = padded.slice();
    for (const view of views) {
      const copy = await restore(view as Uint8Array, { storage: "memory", now: new Clock().now });
      expect(marks(copy, "ann")).toEqual({ 1: 1 });
      await copy.close();
    }
    expect(padded).toEqual(before);
  });

  it("restore reads its bytes before it returns", async () => {
    mark(database, "ann", 1);
    const snapshot = database.snapshot();
    const promise = restore(snapshot, { storage: "memory", now: new Clock().now });
    snapshot.fill(0);
    const copy = await promise;
    expect(marks(copy, "ann")).toEqual({ 1: 1 });
    await copy.close();
  });
});

function everyValue(value: unknown, visit: (value: unknown, path: string) => void, path = ""): void {
  visit(value, path);
  if (typeof value !== "object" || value === null) return;
  for (const [key, part] of Object.entries(value)) everyValue(part, visit, `${path}.${key}`);
}
