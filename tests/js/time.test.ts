// R15: times and durations at the door.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { duration, EARLIEST, hostClock, signalTime, time } from "../../js/time.js";
import { T0 } from "./support/clock.js";
import { expectThrow } from "./support/errors.js";

const DAY = 86_400_000;

describe("times (R15)", () => {
  it("a number and a Date of the same moment are one time", () => {
    expect([time(T0, "at"), time(new Date(T0), "at")]).toEqual([T0, T0]);
  });

  it("what is no finite time is InvalidTimestamp", () => {
    for (const value of [
      Number.NaN,
      Infinity,
      -Infinity,
      new Date(Number.NaN),
      "2024-01-01",
      null,
      undefined,
      5n,
      {},
    ]) {
      expectThrow(() => time(value, "at"), "InvalidTimestamp", "at");
    }
  });

  it("a signal's time lies between 1990-01-01 and a day ahead, both included", () => {
    expect(EARLIEST).toBe(Date.UTC(1990, 0, 1));
    for (const at of [EARLIEST, T0, T0 + DAY]) expect(signalTime(at, T0, "at")).toBe(at);
    for (const at of [EARLIEST - 1, 0, -T0, T0 + DAY + 1, T0 + 100 * 365 * DAY]) {
      expectThrow(() => signalTime(at, T0, "at"), "InvalidTimestamp", "at");
    }
  });

  it("the host's clock is clamped, never refused", () => {
    const read = (value: unknown): number => hostClock(() => value as number)();
    expect(read(T0)).toBe(T0);
    for (const broken of [Number.NaN, -1, 0, -Infinity, "now", undefined, 5n]) expect(read(broken)).toBe(EARLIEST);
    for (const late of [Infinity, 1e300]) expect(read(late)).toBeLessThan(1e13);
  });
});

describe("durations", () => {
  it("units say what they are", () => {
    const cases = { "250ms": 250, "90s": 90_000, "15m": 900_000, "6h": 21_600_000, "7d": 7 * DAY, "0.5h": 1_800_000 };
    for (const [text, ms] of Object.entries(cases)) expect(duration(text, 0, "flushDelay")).toBe(ms);
    expect(duration(50, 0, "flushDelay")).toBe(50);
  });

  it("whole numbers with a unit are exact", () => {
    fc.assert(
      fc.property(fc.nat(), (days) => {
        expect(duration(`${days % 10_000}d`, 0, "halfLife")).toBe((days % 10_000) * DAY);
      }),
    );
  });

  it("anything else is InvalidArgument", () => {
    for (const value of [
      "",
      "d",
      "7",
      "7 d",
      "7days",
      "-1s",
      "1S",
      "0x1s",
      " 1s",
      Number.NaN,
      Infinity,
      -1,
      null,
      {},
      7n,
    ]) {
      expectThrow(() => duration(value, 0, "flushDelay"), "InvalidArgument", "flushDelay");
    }
    expectThrow(() => duration(0, 1e-6, "halfLife"), "InvalidArgument", "halfLife");
    expectThrow(() => duration("1e9d", 0, "halfLife"), "InvalidArgument", "halfLife");
  });
});
