// R16: what is an id, and which forms are the same one.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TidegateError } from "../../js/errors.js";
import { Ids, type IdTable, parse } from "../../js/ids.js";
import { expectThrow } from "./support/errors.js";

const MAX = 2n ** 64n - 1n;

/** A table that gives out handles as the core does, with a hash that is easy to foresee. */
function table(
  hash: (name: string) => bigint = (name) => 2n ** 60n + BigInt(name.length),
): IdTable & { ids: bigint[] } {
  const ids: bigint[] = [];
  const handle = (id: bigint): number => {
    if (!ids.includes(id)) ids.push(id);
    return ids.indexOf(id);
  };
  return { ids, handle, nameId: hash, userNameId: (text) => hash(text) || 1n };
}

const safe = fc.maxSafeNat();
const inRange = fc.bigInt({ min: 0n, max: MAX });
const name = fc
  .string({ unit: "binary", minLength: 1, maxLength: 200 })
  .filter((text) => !/^(?:0|[1-9]\d*)$/.test(text));

describe("ids (R16)", () => {
  it("a safe integer, its bigint and its decimal string are one id", () => {
    fc.assert(
      fc.property(safe, (id) => {
        expect([parse(BigInt(id)), parse(String(id))]).toEqual([id, id]);
        const ids = new Ids(table());
        expect([ids.id(id, "item"), ids.id(BigInt(id), "item"), ids.id(String(id), "item")]).toEqual([id, id, id]);
      }),
    );
  });

  it("a bigint in range and its decimal string are one id, exactly", () => {
    fc.assert(
      fc.property(inRange, (id) => {
        const ids = new Ids(table());
        expect(ids.id(id, "item")).toBe(ids.id(String(id), "item"));
        expect([ids.idOf(id), ids.idOf(String(id))]).toEqual([id, id]);
      }),
    );
  });

  it("ids above the safe integers get one handle each, asked for once", () => {
    const known = table();
    const ids = new Ids(known);
    const edge = 9_007_199_254_740_992n;
    expect(ids.id(edge, "item")).toBeLessThan(0);
    expect(ids.id(edge + 1n, "item")).not.toBe(ids.id(edge, "item"));
    expect(ids.id(String(edge), "item")).toBe(ids.id(edge, "item"));
    expect(ids.id(Number(edge - 1n), "item")).toBe(Number.MAX_SAFE_INTEGER);
    expect(known.ids).toEqual([edge, edge + 1n]);
  });

  it("any other well-formed string is a name", () => {
    fc.assert(
      fc.property(name, (text) => {
        expect(parse(text)).toBe(text);
      }),
    );
    for (const text of ["007", "-1", "1.5", "1e3", " 1", "+1", "0x10", "18446744073709551616", "٣", "𝒳"]) {
      expect(parse(text)).toBe(text);
    }
  });

  it("decimals around 2^53 and 2^64 fall on the right side", () => {
    expect(parse("9007199254740991")).toBe(Number.MAX_SAFE_INTEGER);
    expect(parse("9007199254740992")).toBe(9_007_199_254_740_992n);
    expect(parse("18446744073709551615")).toBe(MAX);
    expect(parse("99999999999999999999")).toBe("99999999999999999999");
  });

  it("everything else is InvalidId and names the argument", () => {
    const numbers = fc.double().filter((value) => !(Number.isSafeInteger(value) && value >= 0));
    const bigints = fc.oneof(fc.bigInt({ max: -1n }), fc.bigInt({ min: MAX + 1n }));
    const others = fc.oneof(fc.boolean(), fc.constant(null), fc.constant(undefined), fc.object(), fc.array(fc.nat()));
    const malformed = fc.constantFrom(
      "",
      "\ud800",
      "a\udfffb",
      "x".repeat(1025),
      "é".repeat(513),
      "x".repeat(10_000_000),
    );
    fc.assert(
      fc.property(fc.oneof(numbers, bigints, others, malformed), (value) => {
        const ids = new Ids(table());
        expectThrow(() => ids.id(value, "item"), "InvalidId", "item");
        expectThrow(() => ids.user(value), "InvalidId", "user");
        expectThrow(() => ids.idOf(value), "InvalidId", "id");
      }),
    );
  });

  it("a name may have 1 KiB of UTF-8 and no more", () => {
    for (const fits of ["x".repeat(1024), "é".repeat(512), "€".repeat(341), "😀".repeat(256)])
      expect(parse(fits)).toBe(fits);
    for (const long of ["x".repeat(1025), "é".repeat(513), "€".repeat(342), "😀".repeat(257)]) {
      expect(parse(long)).toBeUndefined();
    }
  });

  it("user 0 is reserved in every form, item 0 is ordinary", () => {
    const ids = new Ids(table());
    for (const zero of [0, -0, 0n, "0"]) {
      expectThrow(() => ids.user(zero), "InvalidId", "user");
      expect(Object.is(ids.id(zero, "item"), 0)).toBe(true);
      expect(ids.idOf(zero)).toBe(0n);
    }
  });

  it("a user's name that hashes to 0 stands for user 1, an item's for item 0", () => {
    const known = table(() => 0n);
    const ids = new Ids(known);
    const asUser = ids.user("ann");
    const asItem = ids.id("ann", "item");
    expect(known.ids).toEqual([1n, 0n]);
    expect(asUser).not.toBe(asItem);
  });

  it("two names with one hash are InvalidId", () => {
    const ids = new Ids({
      ...table(),
      nameId: () => {
        throw new TidegateError("InvalidId");
      },
    });
    expectThrow(() => ids.id("ann", "community"), "InvalidId", "community");
  });

  it("lists take any iterable but a string and name the element at fault", () => {
    const ids = new Ids(table());
    expect(ids.list(new Set([1, "2", 3n]), "exclude")).toEqual(Float64Array.of(1, 2, 3));
    expect(ids.list(BigUint64Array.of(7n), "exclude")).toEqual(Float64Array.of(7));
    for (const value of ["12", 12, null, {}, undefined]) {
      expectThrow(() => ids.list(value, "exclude"), "InvalidArgument", "exclude");
    }
    expectThrow(() => ids.list([1, 2.5], "exclude"), "InvalidId", "exclude[1]");
  });
});
