// What reaches the core of items, kinds, batches and queries; and what does not (R8, R15, R16, R19).
import { describe, expect, it } from "vitest";
import { checkBatch } from "../../js/batch.js";
import { Ids } from "../../js/ids.js";
import { checkItems } from "../../js/items.js";
import { compareKinds, completeKinds, givenKinds, Kinds } from "../../js/kinds.js";
import { checkOptions } from "../../js/options.js";
import { T0 } from "./support/clock.js";
import { expectThrow } from "./support/errors.js";
import { MemoryStore } from "./support/memory-store.js";

const DAY = 86_400_000;
const ids = new Ids({ nameId: () => 2n ** 60n, userNameId: () => 2n ** 60n, handle: () => 0 });

describe("items", () => {
  const check = (items: unknown, dimensions = 2) => checkItems(items, ids, dimensions);

  it("come from any iterable, and what is left out is absent", () => {
    const items = new Set([
      { id: 1 },
      { id: "2", vector: [0.5, -0], categories: ["a"], creator: 3n, createdAt: new Date(5) },
    ]);
    expect(check(items)).toEqual([
      { id: 1, vector: undefined, categories: [], creator: Number.NaN, createdAt: Number.NaN },
      { id: 2, vector: Float32Array.of(0.5, -0), categories: ["a"], creator: 3, createdAt: 5 },
    ]);
  });

  it("vectors are any array-like of the right length, finite as 32-bit floats", () => {
    expect(check([{ id: 1, vector: Float64Array.of(1, 2) }])[0]?.vector).toEqual(Float32Array.of(1, 2));
    expect(check([{ id: 1, vector: { length: 2, 0: 1, 1: 2 } }])[0]?.vector).toEqual(Float32Array.of(1, 2));
    for (const vector of [[1], [1, 2, 3], [], null, "ab", 5]) {
      expectThrow(() => check([{ id: 1, vector }]), "InvalidArgument", "items[0].vector");
    }
    for (const second of [Number.NaN, Infinity, 1e39, "2", null, 2n, undefined]) {
      expectThrow(() => check([{ id: 1, vector: [1, second] }]), "InvalidArgument", "items[0].vector[1]");
    }
    expectThrow(() => check([{ id: 1, vector: [1, 2] }], 0), "InvalidArgument", "items[0].vector");
  });

  it("every fault names where it is", () => {
    const faults: [unknown, "InvalidId" | "InvalidArgument" | "InvalidTimestamp", string][] = [
      [[{ id: 1 }, { id: -1 }], "InvalidId", "items[1].id"],
      [[{}], "InvalidId", "items[0].id"],
      [[null], "InvalidArgument", "items[0]"],
      ["abc", "InvalidArgument", "items"],
      [{ id: 1 }, "InvalidArgument", "items"],
      [[{ id: 1, creator: null }], "InvalidId", "items[0].creator"],
      [[{ id: 1, createdAt: Number.NaN }], "InvalidTimestamp", "items[0].createdAt"],
      [[{ id: 1, categories: "drama" }], "InvalidArgument", "items[0].categories"],
      [[{ id: 1, categories: ["a", ""] }], "InvalidArgument", "items[0].categories[1]"],
      [[{ id: 1, categories: ["\ud800"] }], "InvalidArgument", "items[0].categories[0]"],
      [[{ id: 1, categories: ["x".repeat(1025)] }], "InvalidArgument", "items[0].categories[0]"],
    ];
    for (const [items, code, argument] of faults) expectThrow(() => check(items), code, argument);
  });

  it("each property of a caller's object is read once", () => {
    const reads: string[] = [];
    const item = new Proxy(
      { id: 1, vector: [1, 2], categories: ["a"], creator: 2, createdAt: 3 },
      {
        get(target, key, receiver) {
          reads.push(String(key));
          return Reflect.get(target, key, receiver);
        },
      },
    );
    check([item]);
    expect(reads.sort()).toEqual(["categories", "createdAt", "creator", "id", "vector"]);
  });
});

describe("kinds (R19)", () => {
  const like = { name: "like", weight: 4, halfLifeMs: 30 * DAY, seen: true, hide: false };

  it("what is left out comes from the kind that exists, else from the defaults", () => {
    expect(completeKinds(givenKinds({ like: { weight: 5 }, read: { halfLife: "1h", seen: true } }), [like])).toEqual([
      { ...like, weight: 5 },
      { name: "read", weight: 1, halfLifeMs: 3_600_000, seen: true, hide: false },
    ]);
    expect(completeKinds(givenKinds({ read: {} }), [])).toEqual([
      { name: "read", weight: 1, halfLifeMs: 7 * DAY, seen: false, hide: false },
    ]);
  });

  it("another half-life or role is SchemaMismatch, another weight is not", () => {
    compareKinds([{ ...like, weight: 9 }], [like]);
    for (const other of [{ halfLifeMs: DAY }, { seen: false }, { hide: true }]) {
      expectThrow(() => compareKinds([{ ...like, ...other }], [like]), "SchemaMismatch", "signals.like");
    }
  });

  it("faults name the kind and the field", () => {
    const faults: [unknown, "InvalidArgument" | "InvalidWeight", string][] = [
      [null, "InvalidArgument", "signals"],
      [{ "": {} }, "InvalidArgument", "signals"],
      [{ a: 5 }, "InvalidArgument", "signals.a"],
      [{ a: { weight: Number.NaN } }, "InvalidWeight", "signals.a.weight"],
      [{ a: { weight: 1e7 } }, "InvalidWeight", "signals.a.weight"],
      [{ a: { halfLife: 0 } }, "InvalidArgument", "signals.a.halfLife"],
      [{ a: { halfLife: "week" } }, "InvalidArgument", "signals.a.halfLife"],
      [{ a: { seen: 1 } }, "InvalidArgument", "signals.a.seen"],
      [{ a: { hide: null } }, "InvalidArgument", "signals.a.hide"],
    ];
    for (const [signals, code, argument] of faults) expectThrow(() => givenKinds(signals), code, argument);
    const many = Object.fromEntries(Array.from({ length: 256 }, (_, index) => [`k${index}`, {}]));
    expectThrow(() => completeKinds(givenKinds(many), [like]), "InvalidArgument", "signals");
  });

  it("policies name kinds by number", () => {
    const kinds = new Kinds(() => [{ ...like, name: "view" }, like]);
    expect(kinds.policy(undefined)).toBeUndefined();
    expect(kinds.policy({})).toEqual(Uint16Array.of(1, 0));
    expect(kinds.policy({ version: 0, share: "None" })).toEqual(Uint16Array.of(0, 1));
    expect(kinds.policy({ version: 65_535, share: ["like", "view"] })).toEqual(Uint16Array.of(65_535, 2, 1, 0));
    for (const version of [-1, 65_536, 1.5, "1", null]) {
      expectThrow(() => kinds.policy({ version }), "InvalidArgument", "policy.version");
    }
    for (const share of ["all", 5, null]) expectThrow(() => kinds.policy({ share }), "InvalidArgument", "policy.share");
    expectThrow(() => kinds.policy({ share: ["like", "nope"] }), "UnknownKind", "policy.share[1]");
    expectThrow(() => kinds.policy("All"), "InvalidArgument", "policy");
    expectThrow(() => kinds.number("nope", "kind"), "UnknownKind", "kind");
    expectThrow(() => kinds.number(0, "kind"), "InvalidArgument", "kind");
  });

  it("an unknown one is named in the error, however long it is", () => {
    const kinds = new Kinds(() => [like]);
    expect(() => kinds.number("liek", "kind")).toThrow('kind: no kind is called "liek"; add it to `signals`');
    expect(() => kinds.number("x".repeat(1e6), "kind")).toThrow(/^.{60,120}$/);
  });
});

describe("batches", () => {
  const good = { user: 1, items: BigUint64Array.of(1n, 2n), kinds: Uint16Array.of(0, 1) };
  const check = (change: object) => checkBatch({ ...good, ...change }, ids, 2, T0);

  it("pass as they are", () => {
    const weights = Float32Array.of(1, -1);
    const at = Float64Array.of(T0, T0 - DAY);
    expect(check({ weights, at, community: 0 })).toEqual({ ...good, weights, at, community: 0 });
  });

  it("every fault names the array and the element", () => {
    const faults: [
      object,
      "InvalidId" | "InvalidArgument" | "InvalidTimestamp" | "InvalidWeight" | "UnknownKind",
      string,
    ][] = [
      [{ user: 0 }, "InvalidId", "user"],
      [{ community: null }, "InvalidId", "community"],
      [{ items: [1n, 2n] }, "InvalidArgument", "items"],
      [{ items: new BigInt64Array(2) }, "InvalidArgument", "items"],
      [{ items: new Proxy(new BigUint64Array(2), {}) }, "InvalidArgument", "items"],
      [{ kinds: Uint8Array.of(0, 1) }, "InvalidArgument", "kinds"],
      [{ kinds: Uint16Array.of(0) }, "InvalidArgument", "kinds"],
      [{ kinds: Uint16Array.of(0, 2) }, "UnknownKind", "kinds[1]"],
      [{ weights: Float64Array.of(1, 1) }, "InvalidArgument", "weights"],
      [{ weights: null }, "InvalidArgument", "weights"],
      [{ weights: Float32Array.of(1) }, "InvalidArgument", "weights"],
      [{ weights: Float32Array.of(1, Number.NaN) }, "InvalidWeight", "weights[1]"],
      [{ weights: Float32Array.of(-2e6, 1) }, "InvalidWeight", "weights[0]"],
      [{ at: Float64Array.of(T0) }, "InvalidArgument", "at"],
      [{ at: Float64Array.of(T0, T0 + 2 * DAY) }, "InvalidTimestamp", "at[1]"],
      [{ at: Float64Array.of(Number.NaN, T0) }, "InvalidTimestamp", "at[0]"],
    ];
    for (const [change, code, argument] of faults) expectThrow(() => check(change), code, argument);
    expectThrow(() => checkBatch(null, ids, 2, T0), "InvalidArgument", "batch");
  });
});

describe("options", () => {
  it("have defaults", () => {
    expect(checkOptions(undefined)).toMatchObject({
      name: "tidegate",
      storage: "auto",
      kinds: [],
      dimensions: 0,
      outbox: undefined,
      flushDelay: 50,
      startEmpty: false,
    });
  });

  it("every fault names the option", () => {
    const faults: [object, string][] = [
      [{ name: "" }, "name"],
      [{ name: 5 }, "name"],
      [{ name: "x".repeat(2000) }, "name"],
      [{ storage: "disk" }, "storage"],
      [{ storage: {} }, "storage"],
      [{ storage: null }, "storage"],
      [{ signals: 1 }, "signals"],
      [{ dimensions: -1 }, "dimensions"],
      [{ dimensions: 4097 }, "dimensions"],
      [{ dimensions: 1.5 }, "dimensions"],
      [{ outbox: 1 }, "outbox"],
      [{ flushDelay: -1 }, "flushDelay"],
      [{ flushDelay: "soon" }, "flushDelay"],
      [{ now: 5 }, "now"],
      [{ wasm: 5 }, "wasm"],
      [{ wasm: null }, "wasm"],
      [{ onCorrupt: "ignore" }, "onCorrupt"],
      [{ onError: "log" }, "onError"],
    ];
    for (const [options, argument] of faults) expectThrow(() => checkOptions(options), "InvalidArgument", argument);
    expectThrow(() => checkOptions(null), "InvalidArgument", "options");
  });

  it("a long delay does not overflow a timer, and a store is a store", () => {
    const storage = new MemoryStore();
    const settings = checkOptions({ flushDelay: "100d", storage });
    expect(settings.flushDelay).toBe(2 ** 31 - 1);
    expect(settings.storage).toBe(storage);
  });

  it("what the listener for errors throws goes no further", () => {
    const { onError } = checkOptions({
      onError: () => {
        throw new Error("listener");
      },
    });
    const log = console.error;
    console.error = () => {};
    expect(() => onError(undefined as never)).not.toThrow();
    console.error = log;
  });
});
