// Case D5: time is no order.
import { describe, expect, it } from "vitest";
import { open } from "../../js/index.js";
import { Clock, T0 } from "./support/clock.js";
import { mark, marks, mass, openTest, SIGNALS } from "./support/database.js";
import { MemoryStore } from "./support/memory-store.js";

describe("D5: time is no order", () => {
  it("everything in one millisecond: each signal counts by its place, not by its time", async () => {
    const database = await openTest();
    database.join("ann", 7);
    mark(database, "ann", "a", 7);
    database.leave("ann", 7);
    mark(database, "ann", "b", 7);
    expect(database.rejoin("ann", 7)).toBe(1);
    mark(database, "ann", "c", 7);
    expect(mass(database, 7)).toEqual({ a: 1, c: 1 });
    expect(marks(database, "ann")).toEqual({ a: 1, b: 1, c: 1 });
    await database.close();
  });

  it("a clock that goes back blocks neither a leave nor a signal", async () => {
    const clock = new Clock();
    const database = await openTest({ now: clock.now });
    database.join("ann", 7);
    mark(database, "ann", 1, 7);
    clock.time = T0 - 3_600_000;
    expect(database.leave("ann", 7)).toMatchObject({ epoch: 0, stopForwardAt: T0 - 3_600_000 });
    expect(mark(database, "ann", 1, 7)).toBe("Left");
    expect(mass(database, 7)).toEqual({ 1: 1 });
    await database.close();
  });

  it("a reload with the clock at 2000-01-01 gives the same state and finite scores", async () => {
    const clock = new Clock();
    const storage = new MemoryStore();
    const reopen = () => open({ storage, now: clock.now, signals: SIGNALS });
    let database = await reopen();
    database.join("ann", 7);
    mark(database, "ann", 1, 7);
    database.signal({ user: "ann", item: 2, kind: "hour", community: 7 });
    database.leave("ann", 7);
    await database.close();
    const now = await reopen();
    const [membership, before] = [now.membership("ann", 7), now.snapshot()];
    await now.close();
    clock.time = Date.UTC(2000, 0, 1);
    database = await reopen();
    expect(database.membership("ann", 7)).toEqual(membership);
    expect(database.snapshot()).toEqual(before);
    for (const { score } of database.query({ user: "ann", community: 7, includeSeen: true }).items) {
      expect(Number.isFinite(score)).toBe(true);
    }
    expect(marks(database, "ann")).toEqual({ 1: 1, 2: 1 });
    await database.close();
  });
});
