// Cases E1 … E6: scores are finite and exact, limits are limits, and every id is an id.
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Tidegate } from "../../js/index.js";
import { Clock, H, T0 } from "./support/clock.js";
import { mark, marks, mass, openTest } from "./support/database.js";
import { expectReject, expectThrow } from "./support/errors.js";

const YEAR = 365.25 * 86_400_000;
let clock: Clock;
let database: Tidegate;

beforeEach(async () => {
  clock = new Clock();
  database = await openTest({ now: clock.now });
});
afterEach(async () => {
  await database.close();
});

const ranking = (query: object = {}): string[] =>
  database.query({ user: "ann", includeSeen: true, limit: Infinity, ...query }).items.map(({ id }) => id);
const score = (user = "ann"): number => database.profile(user).items[0]?.score ?? 0;

describe("E1: one future timestamp", () => {
  it("a century ahead is refused and changes nothing", () => {
    mark(database, "ann", 1);
    const before = database.snapshot();
    for (const at of [T0 + 100 * YEAR, T0 + 25 * H, new Date(T0 + 25 * H)]) {
      expectThrow(() => database.signal({ user: "ann", item: 1, kind: "hour", at }), "InvalidTimestamp", "at");
      const batch = { user: "ann", items: BigUint64Array.of(1n, 1n), kinds: Uint16Array.of(0, 0) };
      expectThrow(
        () => database.signalBatch({ ...batch, at: Float64Array.of(T0, Number(at)) }),
        "InvalidTimestamp",
        "at[1]",
      );
    }
    expect(database.snapshot()).toEqual(before);
  });

  it("now and an hour ahead, read in an hour, is 1.5 weights exactly; in fifty years it is nothing, and finite", () => {
    database.signal({ user: "ann", item: 1, kind: "hour" });
    database.signal({ user: "ann", item: 1, kind: "hour", at: T0 + H });
    clock.time = T0 + H;
    expect(score()).toBe(1.5);
    clock.time = T0 + 50 * YEAR;
    expect(score()).toBeGreaterThanOrEqual(0);
    expect(score()).toBeLessThan(1e-9);
    expect(database.query({ user: "ann" }).items.every((item) => Number.isFinite(item.score))).toBe(true);
  });
});

describe("E2: late events", () => {
  it("both orders give 1.25 at the later time", () => {
    for (const [user, times] of [
      ["early", [T0, T0 + 2 * H]],
      ["late", [T0 + 2 * H, T0]],
    ] as const) {
      for (const at of times) database.signal({ user, item: 1, kind: "hour", at });
    }
    clock.time = T0 + 2 * H;
    expect([score("early"), score("late")]).toEqual([1.25, 1.25]);
  });

  it("a thousand events in any order give the same, within 1e-9", () => {
    const events = fc.sample(
      fc.record({ at: fc.integer({ min: T0 - 50 * H, max: T0 }), weight: fc.float({ min: 0, max: 10, noNaN: true }) }),
      {
        numRuns: 1000,
        seed: 1,
      },
    );
    const scores = Array.from({ length: 20 }, (_, order) => {
      const user = `order ${order}`;
      const [shuffled = []] = fc.sample(fc.shuffledSubarray(events, { minLength: events.length }), {
        numRuns: 1,
        seed: order,
      });
      for (const event of shuffled) database.signal({ user, item: 1, kind: "hour", ...event });
      return score(user);
    });
    for (const one of scores) expect(Math.abs(one / (scores[0] ?? 0) - 1)).toBeLessThan(1e-9);
  });
});

describe("E3: weights that are no weights", () => {
  it("are refused at every door, and change nothing", async () => {
    mark(database, "ann", 1);
    const before = database.snapshot();
    for (const weight of [Number.NaN, Infinity, -Infinity, 1e308, -1e308, 1_000_001]) {
      expectThrow(() => database.signal({ user: "ann", item: 1, kind: "mark", weight }), "InvalidWeight", "weight");
      const batch = {
        user: "ann",
        items: BigUint64Array.of(1n),
        kinds: Uint16Array.of(0),
        weights: Float32Array.of(weight),
      };
      expectThrow(() => database.signalBatch(batch), "InvalidWeight", "weights[0]");
      await expectReject(openTest({ signals: { own: { weight } } }), "InvalidWeight", "signals.own.weight");
    }
    expect(database.snapshot()).toEqual(before);
  });

  it("−0 and the smallest number are exact, and the order holds", () => {
    for (const [item, weight] of [
      [1, -0],
      [2, 5e-324],
      [3, -5e-324],
      [4, 1e6],
      [5, -1e6],
      [6, 0],
    ] as const) {
      database.signal({ user: "ann", item, kind: "mark", weight });
    }
    const { items } = database.query({ user: "ann", includeSeen: true, limit: Infinity });
    expect(items.map(({ id }) => id)).toEqual(["4", "1", "2", "3", "6", "5"]);
    for (const { score: value } of items) expect(Number.isFinite(value)).toBe(true);
    expect(JSON.stringify(database.profile("ann").items)).not.toContain("null");
  });
});

describe("E5: cold start and odd limits", () => {
  it("an empty database ranks nothing, for anybody and any community", () => {
    for (const query of [{}, { community: 7 }, { cohort: 7 }, { candidates: [1, 2] }]) {
      expect(database.query({ user: "nobody", ...query })).toEqual({
        items: [],
        policyMetadata: { membershipEpoch: null, membershipState: null, sharePolicyVersion: null },
        stats: { membershipEpoch: null, candidates: 0, seen: 0, hidden: 0, durationMs: expect.any(Number) },
      });
    }
    expect(database.profile("nobody")).toEqual({
      user: "nobody",
      signals: 0,
      seen: 0,
      hidden: [],
      items: [],
      categories: [],
      creators: [],
      preference: null,
    });
    expect(database.membership("nobody", 7)).toBeNull();
    expect(database.membershipEpoch("nobody", 7)).toBeNull();
    expect(database.forgetUser("nobody")).toEqual([]);
  });

  it("limit and offset give rows that exist, or are InvalidArgument", () => {
    database.upsertItems(Array.from({ length: 30 }, (_, id) => ({ id })));
    const count = (query: object): number => database.query({ user: "ann", ...query }).items.length;
    expect([count({}), count({ limit: 0 }), count({ limit: 1 }), count({ limit: 1e9 })]).toEqual([20, 0, 1, 30]);
    expect([count({ limit: Infinity }), count({ limit: -0 })]).toEqual([30, 0]);
    expect([
      count({ offset: 25 }),
      count({ offset: 30 }),
      count({ offset: 1e12 }),
      count({ offset: Infinity }),
    ]).toEqual([5, 0, 0, 0]);
    expect(count({ limit: Infinity, offset: 29 })).toBe(1);
    for (const bad of [-1, Number.NaN, 2.5, "5", null, 5n, -Infinity]) {
      expectThrow(() => database.query({ user: "ann", limit: bad as number }), "InvalidArgument", "limit");
      expectThrow(() => database.query({ user: "ann", offset: bad as number }), "InvalidArgument", "offset");
    }
    for (const bad of [-0.1, 1.1, Number.NaN, "1", null]) {
      expectThrow(() => database.query({ user: "ann", diversity: bad as number }), "InvalidArgument", "diversity");
    }
  });

  it("a query reads as of any finite time", () => {
    database.upsertItems([{ id: 1, createdAt: T0 }]);
    mark(database, "ann", 1);
    for (const at of [0, -1e15, 1e15, Number.MAX_VALUE, -Number.MAX_VALUE, new Date(0), T0 + 0.5]) {
      const [first] = database.query({ user: "ann", includeSeen: true, at }).items;
      expect(Number.isFinite(first?.score), String(at)).toBe(true);
    }
    expectThrow(() => database.query({ user: "ann", at: Number.NaN }), "InvalidTimestamp", "at");
  });
});

describe("E6: seen items return, id 0 disappears", () => {
  const LAST = "18446744073709551615";

  it("items 0, 1 and 2^64−1 and community 0 are ordinary", () => {
    database.upsertItems([{ id: 0 }, { id: 1n }, { id: LAST }]);
    expect(ranking()).toEqual(["0", "1", LAST]);
    database.join("ann", 0);
    expect(mark(database, "ann", 2n ** 64n - 1n, 0)).toBe("Recorded");
    expect(mark(database, "ann", 0, "0")).toBe("Recorded");
    expect(mass(database, 0n)).toEqual({ 0: 1, [LAST]: 1 });
    expect(marks(database, "ann")).toEqual({ 0: 1, [LAST]: 1 });
    expect(ranking()).toEqual(["0", LAST, "1"]);
    expect(database.membership("ann", 0)).toMatchObject({ community: "0", epoch: 0 });
    database.removeItems([0]);
    expect(ranking()).toEqual([LAST, "1"]);
  });

  it("seen and hidden items are left out before the cut", () => {
    database.upsertItems(Array.from({ length: 10 }, (_, id) => ({ id })));
    for (const item of [0, 1, 2]) database.signal({ user: "ann", item, kind: "view" });
    database.signal({ user: "ann", item: 3, kind: "hide" });
    const { items, stats } = database.query({ user: "ann", limit: 4 });
    expect(items.map(({ id }) => id)).toEqual(["4", "5", "6", "7"]);
    expect(stats).toMatchObject({ candidates: 10, seen: 3, hidden: 1 });
    expect(ranking({ limit: 4, exclude: ["0"] })).toEqual(["1", "2", "4", "5"]);
    expect(ranking({ candidates: [9, 3, 0, "9", 77] })).toEqual(["0", "9"]);
  });
});
