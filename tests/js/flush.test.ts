// The write loop over a store in memory and a core whose events are words.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { TidegateError } from "../../js/errors.js";
import { LogWriter } from "../../js/flush.js";
import type { Change } from "../../js/index.js";
import { expectReject } from "./support/errors.js";
import { FakeCore, fakeHandle, rowEvents } from "./support/fake-core.js";
import { MemoryStore } from "./support/memory-store.js";

const EMPTY = { snapshot: new Uint8Array(8), position: 0, rows: [] };

let store: MemoryStore;
let errors: TidegateError[];
let told: Change[];

beforeEach(() => {
  vi.useFakeTimers();
  store = new MemoryStore();
  store.stored = structuredClone(EMPTY);
  errors = [];
  told = [];
});
afterEach(() => {
  vi.useRealTimers();
});

function tab(): { core: FakeCore; writer: LogWriter } {
  const core = new FakeCore();
  const writer = new LogWriter(fakeHandle(core), store, structuredClone(store.stored ?? EMPTY), {
    flushDelay: 50,
    onError: (error) => errors.push(error),
    tell: (changes) => told.push(...changes),
  });
  core.catchUp(store.stored?.rows ?? []);
  return { core, writer };
}

const log = (): string[] => (store.stored?.rows ?? []).flatMap(rowEvents);

describe("flush", () => {
  it("signals wait for the delay, then go as one relaxed row", async () => {
    const { core, writer } = tab();
    core.waiting.push("a");
    writer.changed();
    core.waiting.push("b");
    writer.changed();
    await vi.advanceTimersByTimeAsync(49);
    expect(store.writes).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect({ writes: store.writes, log: log(), folded: core.folded }).toEqual({
      writes: ["relaxed"],
      log: ["a", "b"],
      folded: ["a", "b"],
    });
    expect(writer.position).toBe(1);
  });

  it("an urgent change goes at once and strictly, and takes along what waits (R10)", async () => {
    const { core, writer } = tab();
    core.waiting.push("signal");
    writer.changed();
    core.waiting.push("leave");
    await writer.urgent();
    expect({ writes: store.writes, log: log() }).toEqual({ writes: ["strict"], log: ["signal", "leave"] });
  });

  it("events made while a row is being written stay pending and go with the next", async () => {
    const { core, writer } = tab();
    core.waiting.push("a");
    const first = writer.flush();
    // The store answers in the next turn and has not called the step yet; b is in the row then. c is not.
    const transact = store.transact.bind(store);
    store.transact = (position, step, durability) =>
      transact(position, step, durability).then(() => {
        core.waiting.push("c");
      });
    core.waiting.push("b");
    await first;
    core.waiting.push("d");
    const second = writer.flush();
    await second;
    expect(log()).toEqual(["a", "b", "d"]);
    expect(core.waiting).toEqual(["c"]);
    store.transact = transact;
    await writer.flush();
    expect({ log: log(), folded: core.folded, position: writer.position }).toEqual({
      log: ["a", "b", "d", "c"],
      folded: ["a", "b", "d", "c"],
      position: 3,
    });
  });

  it("flushes that are asked for while one runs share the next", async () => {
    const { core, writer } = tab();
    core.waiting.push("a");
    const first = writer.flush();
    const second = writer.flush();
    const third = writer.flush();
    expect(second).toBe(third);
    await Promise.all([first, second]);
    expect(store.writes).toEqual(["strict"]);
  });

  it("with nothing to write it writes nothing", async () => {
    const { writer } = tab();
    await writer.flush();
    await writer.close();
    expect(store.writes).toEqual([]);
  });

  it("a flush that is asked for puts on disk what a relaxed one only handed over", async () => {
    const { core, writer } = tab();
    core.waiting.push("a");
    writer.changed();
    await vi.advanceTimersByTimeAsync(50);
    await writer.flush();
    await writer.flush();
    expect(store.writes).toEqual(["relaxed", "sync"]);
  });

  it("a failed flush keeps everything pending, tells, and is tried again", async () => {
    const { core, writer } = tab();
    store.failures = [{ error: new TidegateError("QuotaExceeded") }];
    core.waiting.push("a");
    writer.changed();
    await vi.advanceTimersByTimeAsync(50);
    expect({ codes: errors.map(({ code }) => code), waiting: core.waiting, log: log() }).toEqual({
      codes: ["QuotaExceeded"],
      waiting: ["a"],
      log: [],
    });
    await vi.advanceTimersByTimeAsync(100);
    expect({ waiting: core.waiting, log: log() }).toEqual({ waiting: [], log: ["a"] });
  });

  it("what is owed strictly is tried again strictly", async () => {
    const { core, writer } = tab();
    store.failures = [{ error: new TidegateError("Storage") }];
    core.waiting.push("leave");
    await expectReject(writer.urgent(), "Storage");
    await vi.advanceTimersByTimeAsync(100);
    expect(store.writes).toEqual(["strict"]);
    expect(errors.map(({ code }) => code)).toEqual(["Storage"]);
  });

  it("tries come later and later", async () => {
    const { core, writer } = tab();
    store.failures = Array.from({ length: 30 }, () => ({ error: new TidegateError("Storage") }));
    core.waiting.push("a");
    writer.changed();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(errors.length).toBeLessThan(12);
    await vi.advanceTimersByTimeAsync(30 * 60_000);
    expect(log()).toEqual(["a"]);
  });

  it("a row that was stored although the transaction failed is not stored twice", async () => {
    const { core, writer } = tab();
    store.failures = [{ error: new TidegateError("Storage"), after: true }];
    core.waiting.push("a");
    await expectReject(writer.flush(), "Storage");
    expect({ log: log(), waiting: core.waiting }).toEqual({ log: ["a"], waiting: ["a"] });
    core.waiting.push("b");
    await writer.flush();
    expect({ log: log(), folded: core.folded, position: writer.position }).toEqual({
      log: ["a", "b"],
      folded: ["a", "b"],
      position: 2,
    });
  });

  it("another tab's rows are folded first, and told", async () => {
    const first = tab();
    const second = tab();
    first.core.waiting.push("a", "b");
    await first.writer.flush();
    second.core.waiting.push("c");
    await second.writer.flush();
    expect(second.core.folded).toEqual(["a", "b", "c"]);
    expect(told).toEqual([{ type: "caughtUp", events: 2 }]);
    first.core.waiting.push("d");
    await first.writer.flush();
    expect(first.core.folded).toEqual(log());
  });

  it("foreign rows that were folded are not folded again after a failure", async () => {
    const first = tab();
    const second = tab();
    first.core.waiting.push("a");
    await first.writer.flush();
    second.core.waiting.push("b");
    const { transact } = store;
    store.transact = async (position, step) => {
      store.transact = transact;
      step((store.stored?.rows ?? []).slice(position));
      throw new TidegateError("QuotaExceeded");
    };
    await expectReject(second.writer.flush(), "QuotaExceeded");
    await second.writer.flush();
    expect({ folded: second.core.folded, log: log() }).toEqual({ folded: ["a", "b"], log: ["a", "b"] });
  });

  it("rows that cannot be read undo the flush", async () => {
    const { core, writer } = tab();
    store.stored?.rows.push(new Uint8Array(3));
    core.catchUp = () => {
      throw 11;
    };
    core.waiting.push("a");
    await expectReject(writer.flush(), "CorruptEvents");
    expect({ rows: store.stored?.rows.length, waiting: core.waiting }).toEqual({ rows: 1, waiting: ["a"] });
  });

  it("a fault in the core poisons and is not tried again", async () => {
    const { core, writer } = tab();
    core.pendingRow = () => {
      throw new WebAssembly.RuntimeError("unreachable");
    };
    core.waiting.push("a");
    writer.changed();
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect({ codes: errors.map(({ code }) => code), writes: store.writes }).toEqual({
      codes: ["Poisoned"],
      writes: [],
    });
  });

  it("close stores what is pending and asks for nothing afterwards", async () => {
    const { core, writer } = tab();
    core.waiting.push("a");
    writer.changed();
    await writer.close();
    writer.changed();
    await vi.advanceTimersByTimeAsync(1000);
    expect({ writes: store.writes, timers: vi.getTimerCount() }).toEqual({ writes: ["strict"], timers: 0 });
  });
});

describe("compaction", () => {
  it("replaces the rows when they outweigh the snapshot, and a new tab finds the same", async () => {
    const { core, writer } = tab();
    for (let count = 0; count < 5; count++) {
      core.waiting.push("x".repeat(20_000));
      await writer.flush();
    }
    await vi.advanceTimersByTimeAsync(0);
    expect(store.writes.filter((write) => write === "compact")).toEqual(["compact"]);
    expect(store.stored).toMatchObject({ position: 4 });
    expect(store.stored?.rows).toHaveLength(1);
    expect(JSON.parse(new TextDecoder().decode(store.stored?.snapshot))).toEqual(core.folded.slice(0, 4));
    expect(tab().writer.position).toBe(5);
  });

  it("does not happen to a small log, but follows when something was forgotten (R18)", async () => {
    const { core, writer } = tab();
    core.waiting.push("a");
    await writer.flush();
    await vi.advanceTimersByTimeAsync(0);
    expect(store.writes).toEqual(["strict"]);
    writer.forgot();
    core.waiting.push("forget");
    await writer.flush();
    await vi.advanceTimersByTimeAsync(0);
    expect(store.writes).toEqual(["strict", "strict", "compact"]);
    expect(store.stored?.rows).toEqual([]);
  });
});
