// Case B4: a throw leaves the instance usable, and a trap leaves nothing half-done.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { open, type Tidegate, TidegateError } from "../../js/index.js";
import { Clock, T0 } from "./support/clock.js";
import { mark, marks, mass, openTest, SIGNALS } from "./support/database.js";
import { expectReject, expectThrow } from "./support/errors.js";
import { instances } from "./support/instances.js";
import { MemoryStore } from "./support/memory-store.js";
import { methods } from "./support/surface.js";

let database: Tidegate;

beforeEach(async () => {
  database = await openTest({ dimensions: 2 });
});
afterEach(async () => {
  await database.close();
});

/** A good call of each method that takes arguments; paths of what may be left out. */
const CALLS: Record<string, { args: unknown[]; optional?: string[] }> = {
  upsertItems: {
    args: [[{ id: 1, vector: [1, 2], categories: ["a"], creator: 2, createdAt: T0 }]],
    optional: ["0.0.vector", "0.0.categories", "0.0.creator", "0.0.createdAt"],
  },
  removeItems: { args: [[999]] },
  join: { args: ["ann", 7, { version: 1, share: "All" }], optional: ["2", "2.version", "2.share"] },
  leave: { args: ["ann", 7, { mode: "StopForward" }], optional: ["2", "2.mode"] },
  rejoin: { args: ["ann", 7, { version: 1, share: ["like"] }], optional: ["2", "2.version", "2.share"] },
  membership: { args: ["ann", 7] },
  memberships: { args: ["ann"], optional: ["0"] },
  membershipEpoch: { args: ["ann", 7] },
  leaveCommunityLayer: { args: ["ann"] },
  rejoinCommunityLayer: { args: ["ann"] },
  communityLayerStatus: { args: ["ann"] },
  setCohorts: { args: ["ann", [7]] },
  cohorts: { args: ["ann"] },
  signal: {
    args: [{ user: "ann", item: 1, kind: "like", weight: 1, at: T0, community: 7, agent: "app" }],
    optional: ["0.weight", "0.at", "0.community", "0.agent"],
  },
  signalBatch: {
    args: [
      {
        user: "ann",
        items: BigUint64Array.of(1n),
        kinds: Uint16Array.of(0),
        weights: Float32Array.of(1),
        at: Float64Array.of(T0),
        community: 7,
      },
    ],
    optional: ["0.weights", "0.at", "0.community"],
  },
  idOf: { args: ["ann"] },
  kindOf: { args: ["like"] },
  query: {
    args: [
      {
        user: "ann",
        community: 7,
        cohort: 3,
        candidates: [1],
        exclude: [2],
        includeSeen: true,
        limit: 5,
        offset: 0,
        at: T0,
        diversity: 0.5,
      },
    ],
    optional: "community cohort candidates exclude includeSeen limit offset at diversity"
      .split(" ")
      .map((key) => `0.${key}`),
  },
  profile: { args: ["ann"] },
  forgetUser: { args: ["ann"] },
  exportEvents: {
    // A cursor and bytes of its own are good ones.
    get args() {
      return [{ communities: [7], since: database.exportEvents().cursor }];
    },
    optional: ["0", "0.communities", "0.since"],
  },
  acknowledge: {
    get args() {
      return [database.exportEvents().cursor];
    },
  },
  importEvents: {
    get args() {
      return [database.exportEvents().bytes];
    },
  },
  on: { args: ["change", () => {}] },
};
/** Methods without arguments. */
const PLAIN = ["[Symbol.asyncDispose]", "close", "flush", "snapshot", "stats"];

const fault = new Error("the caller's own");
const throwing = new Proxy(
  {},
  {
    get() {
      throw fault;
    },
  },
);
const LONG = "x".repeat(10_000_000);

describe("B4: a throw leaves the instance usable", () => {
  it("the tables have every method", () => {
    expect([...Object.keys(CALLS), ...PLAIN].sort()).toEqual(methods());
  });

  it.each(Object.keys(CALLS))("%s refuses every wrong shape with a typed error and changes nothing", (method) => {
    const { args, optional = [] } = CALLS[method] as { args: unknown[]; optional?: string[] };
    database.join("ann", 7);
    mark(database, "ann", 1, 7);
    database.upsertItems([{ id: 1, vector: [1, 2] }]);
    const before = database.snapshot();
    let refused = 0;
    for (const path of paths(args)) {
      const isOptional = optional.includes(path);
      const wrong = [null, LONG, Number.NaN, Symbol("wrong"), throwing, ...(isOptional ? [] : [undefined, {}])];
      for (const value of wrong) {
        const attempt = `${method} with ${path} = ${value === LONG ? "10 MB" : value === throwing ? "a trap" : String(value)}`;
        let thrown: unknown;
        try {
          invoke(method, replace(args, path, value));
        } catch (error) {
          thrown = error;
        }
        expect(thrown === fault || thrown instanceof TidegateError, `${attempt}: ${String(thrown)}`).toBe(true);
        if (thrown instanceof TidegateError) {
          expect(thrown.code, attempt).toMatch(/^(Invalid|UnknownKind)/);
          expect(thrown.argument, attempt).toBeTypeOf("string");
        }
        refused++;
      }
      let thrown: unknown;
      try {
        invoke(method, withGetter(args, path));
      } catch (error) {
        thrown = error;
      }
      // Positions of arguments have no getters.
      if (path.includes(".")) expect(thrown, `${method} with a getter at ${path}`).toBe(fault);
    }
    expect(refused).toBeGreaterThanOrEqual(5);
    expect(database.snapshot()).toEqual(before);
    invoke(method, args);
    expect(database.leave("bob", 7, undefined === database.join("bob", 7) ? undefined : {})).toMatchObject({
      epoch: 0,
    });
    expect(database.query({ user: "bob" }).items.length).toBeGreaterThanOrEqual(0);
    for (let count = 0; count < 1000; count++) mark(database, "bob", count, 7);
    expect(database.profile("bob").signals).toBe(1000);
  });

  it("an iterator that throws half-way has changed nothing", () => {
    const before = database.snapshot();
    const half = function* <T>(value: T) {
      yield value;
      throw fault;
    };
    for (const call of [
      () => database.upsertItems(half({ id: 1 })),
      () => database.removeItems(half(1)),
      () => database.setCohorts("ann", half(1)),
      () => database.query({ user: "ann", candidates: half(1) }),
      () => database.upsertItems([{ id: 1 }, { id: -1 }]),
      () => database.setCohorts("ann", [1, 2.5]),
    ]) {
      expect(call).toThrow();
    }
    expect(database.snapshot()).toEqual(before);
    expect(database.cohorts("ann")).toEqual([]);
  });

  it("a clock that throws is the caller's own", async () => {
    let broken = false;
    const now = () => {
      if (broken) throw fault;
      return T0;
    };
    const other = await openTest({ now });
    const before = other.snapshot();
    broken = true;
    expect(() => mark(other, "ann", 1)).toThrow(fault);
    expect(() => other.join("ann", 1)).toThrow(fault);
    expect(other.snapshot()).toEqual(before);
    await other.close();
  });

  function invoke(method: string, args: unknown[]): unknown {
    const target = database as unknown as Record<string, (...args: unknown[]) => unknown>;
    return target[method]?.(...args);
  }
});

describe("B4: a real trap", () => {
  it("poisons every handle of the instance, nothing is written, and opening again works", async () => {
    const storage = new MemoryStore();
    const errors: TidegateError[] = [];
    const stored = await open({
      storage,
      now: new Clock().now,
      signals: SIGNALS,
      onError: (error) => errors.push(error),
    });
    stored.join("ann", 7);
    mark(stored, "ann", 1, 7);
    await stored.flush();
    mark(stored, "ann", 2, 7);
    const before = structuredClone(storage.stored);

    const memory = instances().at(-1)?.exports.memory as WebAssembly.Memory;
    new Uint8Array(memory.buffer).fill(0xff);
    // Which call meets the damage first is chance; a few of them are enough.
    let trapped: unknown;
    for (let count = 0; count < 100 && trapped === undefined; count++) {
      try {
        mark(stored, `user ${count}`, count, 7);
        stored.query({ user: "ann", community: 7 });
      } catch (error) {
        trapped = error;
      }
    }
    expect(trapped).toMatchObject({ code: "Poisoned" });
    expect((trapped as Error).cause).toBeInstanceOf(Error);

    for (const handle of [stored, database]) {
      for (const method of methods()) {
        if (method === "close" || method === "[Symbol.asyncDispose]") continue;
        const call = () => (handle as unknown as Record<string, () => unknown>)[method]?.();
        if (method === "flush") await expectReject(call() as Promise<void>, "Poisoned");
        else expectThrow(call, "Poisoned");
      }
    }
    await expectReject(stored.close(), "Poisoned");
    expect({ closed: stored.closed, stored: storage.stored }).toEqual({ closed: true, stored: before });
    await database.close();

    const again = await open({ storage, now: new Clock().now, signals: SIGNALS });
    expect(instances().length).toBeGreaterThan(1);
    expect(marks(again, "ann")).toEqual({ 1: 1 });
    expect(mass(again, 7)).toEqual({ 1: 1 });
    expect(mark(again, "ann", 3, 7)).toBe("Recorded");
    await again.close();
    expect(storage.stored?.rows.length).toBe((before?.rows.length ?? 0) + 1);
    database = await openTest();
  });
});

/** Paths of all arguments and of the properties of those that are plain objects or arrays of them. */
function paths(args: unknown[]): string[] {
  const found: string[] = [];
  const walk = (value: unknown, path: string): void => {
    if (path !== "") found.push(path);
    const plain = Array.isArray(value) || Object.getPrototypeOf(value ?? 0) === Object.prototype;
    if (!plain || found.length > 50) return;
    for (const [key, part] of Object.entries(value as object)) walk(part, path === "" ? key : `${path}.${key}`);
  };
  walk(args, "");
  return found;
}

function replace(args: unknown[], path: string, value: unknown): unknown[] {
  return edit(args, path.split("."), (target, key) => {
    target[key] = value;
  }) as unknown[];
}

function withGetter(args: unknown[], path: string): unknown[] {
  return edit(args, path.split("."), (target, key) => {
    Object.defineProperty(target, key, {
      enumerable: true,
      get() {
        throw fault;
      },
    });
  }) as unknown[];
}

/** A copy of the value, edited at the path. */
function edit(
  value: unknown,
  [key = "", ...rest]: string[],
  change: (target: Record<string, unknown>, key: string) => void,
): unknown {
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>;
  if (rest.length === 0) change(copy, key);
  else copy[key] = edit(copy[key], rest, change);
  return copy;
}
