// The table of names beside a plain map.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Names } from "../../js/names.js";

/** Short ones, and such as differ before their last characters alone, which all want the same slots. */
const name = fc.oneof(
  fc.string({ unit: "binary", minLength: 1, maxLength: 20 }),
  fc.nat(40).map((place) => `${place}/the/same/end/of/many`),
);

describe("names", () => {
  it("a name has the number that it was given, and no other name has one", () => {
    const steps = fc.array(fc.tuple(name, fc.integer({ min: 1, max: 3 })), { maxLength: 400 });
    fc.assert(
      fc.property(steps, fc.array(name, { maxLength: 20 }), (steps, others) => {
        const [names, model] = [new Names(), new Map<string, number>()];
        let last = 0;
        for (const [text, apart] of steps) {
          expect(names.get(text)).toBe(model.get(text));
          if (model.has(text)) continue;
          // What lies between are other ids' numbers.
          last -= apart;
          names.set(text, last);
          model.set(text, last);
        }
        for (const text of [...model.keys(), ...others, ""]) expect(names.get(text)).toBe(model.get(text));
      }),
    );
  });

  it("thousands of names that end alike are told apart", () => {
    const names = new Names();
    const text = (place: number): string => `${place}/and/so/they/all/end`;
    for (let place = 1; place <= 5_000; place++) names.set(text(place), -place);
    for (let place = 1; place <= 5_000; place++) expect(names.get(text(place))).toBe(-place);
    expect(names.get(text(0))).toBeUndefined();
  });
});
