// The write loop over a store in memory and a core whose events are words.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { TidegateError } from "../../js/errors.js";
import { LogWriter } from "../../js/flush.js";
import type { Change } from "../../js/index.js";
import type { TabEvents } from "../../js/tabs.js";
import { expectReject } from "./support/errors.js";
import { FakeCore, fakeHandle, rowEvents, STRANGER } from "./support/fake-core.js";
import { MemoryStore, MemoryTombstones } from "./support/memory-store.js";

const EMPTY = { snapshot: new Uint8Array(8), position: 0, rows: [] };

let store: MemoryStore;
let errors: TidegateError[];
let told: Change[];
let hints: number;
let replaced: FakeCore | undefined;

beforeEach(() => {
  vi.useFakeTimers();
  store = new MemoryStore();
  store.stored = structuredClone(EMPTY);
  errors = [];
  told = [];
  hints = 0;
  replaced = undefined;
});
afterEach(() => {
  vi.useRealTimers();
});

function tab() {
  const core = new FakeCore();
  const stored = structuredClone(store.stored ?? EMPTY);
  if (stored.position > 0) core.reload(stored.snapshot);
  core.catchUp(stored.rows);
  let events: TabEvents | undefined;
  const writer = new LogWriter({ handle: fakeHandle(core), stored }, store, {
    flushDelay: 50,
    onError: (error) => errors.push(error),
    tell: (changes) => told.push(...changes),
    link: (link) => {
      events = link;
      return { elsewhere: true, tell: () => hints++, close: () => {} };
    },
    startOver: async () => {
      store.stored = structuredClone(EMPTY);
      return { handle: fakeHandle(new FakeCore()), stored: structuredClone(EMPTY) };
    },
    replaced: (handle) => {
      replaced = handle.core as unknown as FakeCore;
    },
  });
  return { core, writer, heard: () => events?.heard(), hiding: () => events?.hiding() };
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
      const rows = (store.stored?.rows ?? []).slice(position);
      step({ compacted: 0, snapshot: null, rows, overtaken: undefined });
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
    core.waiting.push("forget");
    await writer.flush();
    await vi.advanceTimersByTimeAsync(0);
    expect(store.writes).toEqual(["strict", "strict", "compact"]);
    expect(store.stored?.rows).toEqual([]);
  });
});

/** Lets the next transaction be stored without saying so, as a browser that dies while it commits. */
const lostAnswer = () => {
  store.failures = [{ error: new TidegateError("Storage"), after: true }];
};

/** Replaces all rows that a tab has folded by its snapshot. */
const compact = ({ core, writer }: ReturnType<typeof tab>) => store.compact(writer.position, core.snapshot());

describe("a tab that a compaction left behind", () => {
  it("begins again from the snapshot, catches up and appends what it has pending", async () => {
    const [first, second] = [tab(), tab()];
    first.core.waiting.push("a");
    await first.writer.flush();
    first.core.waiting.push("b");
    await first.writer.flush();
    await compact(first);
    first.core.waiting.push("c");
    await first.writer.flush();
    second.core.waiting.push("d");
    await second.writer.flush();
    expect({ folded: second.core.folded, position: second.writer.position }).toEqual({
      folded: ["a", "b", "c", "d"],
      position: 4,
    });
    expect(told).toContainEqual({ type: "caughtUp", events: 3 });
    first.heard();
    await vi.advanceTimersByTimeAsync(0);
    expect(first.core.folded).toEqual(second.core.folded);
  });

  it.each(["stored", "not stored"])("applies a row once whose fate it was not told: %s", async (fate) => {
    const [first, second] = [tab(), tab()];
    second.core.waiting.push("mine");
    if (fate === "stored") lostAnswer();
    else {
      const { transact } = store;
      store.transact = async (_position, step) => {
        store.transact = transact;
        step({ compacted: 0, snapshot: null, rows: [], overtaken: undefined });
        throw new TidegateError("Storage");
      };
    }
    await expectReject(second.writer.flush(), "Storage");
    first.core.waiting.push("theirs");
    await first.writer.flush();
    await compact(first);
    await second.writer.flush();
    const order = fate === "stored" ? ["mine", "theirs"] : ["theirs", "mine"];
    expect({ folded: second.core.folded, waiting: second.core.waiting }).toEqual({ folded: order, waiting: [] });
  });
});

describe("tabs", () => {
  it("tell each other after each row, and a tab that hears of one catches up without writing", async () => {
    const [first, second] = [tab(), tab()];
    first.core.waiting.push("a");
    await first.writer.flush();
    expect({ hints, folded: second.core.folded }).toEqual({ hints: 1, folded: [] });
    second.heard();
    second.heard();
    await vi.advanceTimersByTimeAsync(0);
    expect({ folded: second.core.folded, told, writes: store.writes, hints }).toEqual({
      folded: ["a"],
      told: [{ type: "caughtUp", events: 1 }],
      writes: ["strict"],
      hints: 1,
    });
  });

  it("a failed flush tells nobody, and hints that come to nothing tell nothing", async () => {
    const { core, writer, heard } = tab();
    store.failures = [{ error: new TidegateError("Storage") }];
    core.waiting.push("a");
    await expectReject(writer.flush(), "Storage");
    heard();
    await vi.advanceTimersByTimeAsync(0);
    expect({ hints, told, errors }).toEqual({ hints: 0, told: [], errors: [] });
  });

  it("what cannot be read is told to onError", async () => {
    const { heard } = tab();
    store.failures = [{ error: new TidegateError("UnsupportedVersion") }];
    heard();
    await vi.advanceTimersByTimeAsync(0);
    expect(errors.map(({ code }) => code)).toEqual(["UnsupportedVersion"]);
  });

  it("a page that goes out of sight does not wait for the delay, and writes nothing when idle", async () => {
    const { core, writer, hiding } = tab();
    hiding();
    await vi.advanceTimersByTimeAsync(0);
    expect(store.writes).toEqual([]);
    core.waiting.push("a");
    writer.changed();
    hiding();
    await vi.advanceTimersByTimeAsync(0);
    expect(store.writes).toEqual(["relaxed"]);
  });

  it("nothing is heard after close", async () => {
    const { writer, heard } = tab();
    await writer.close();
    const read = vi.spyOn(store, "read");
    heard();
    expect(read).not.toHaveBeenCalled();
  });
});

describe("tombstones", () => {
  beforeEach(() => {
    store.tombstones = new MemoryTombstones();
  });
  const stone = { user: 1n, community: 7n, tab: 3n, at: 5, mark: 70n, again: false };

  it("a flush honours them before it appends, strictly, and removes them then", async () => {
    const { core, writer } = tab();
    core.waiting.push("a");
    writer.changed();
    store.tombstones?.write(stone);
    await vi.advanceTimersByTimeAsync(50);
    expect({ log: log(), writes: store.writes, left: store.tombstones?.all }).toEqual({
      log: ["leave 1 7", "a"],
      writes: ["strict"],
      left: [],
    });
  });

  it("one that appears while a relaxed row is on its way outlives it, until that row is on disk", async () => {
    const { core, writer } = tab();
    core.waiting.push("a");
    writer.changed();
    const { transact } = store;
    store.transact = (...args) => {
      store.transact = transact;
      store.tombstones?.write(stone);
      return store.transact(...args).then(() => {
        expect(store.tombstones?.all).toEqual([stone]);
      });
    };
    await vi.advanceTimersByTimeAsync(50);
    expect(log()).toEqual(["leave 1 7", "a"]);
    await vi.advanceTimersByTimeAsync(50);
    expect({ writes: store.writes, left: store.tombstones?.all }).toEqual({ writes: ["relaxed", "sync"], left: [] });
  });

  it("one that is honoured while a row is on its way goes behind it: the row's events are the first that are committed", async () => {
    const { core, writer } = tab();
    core.waiting.push("a");
    const { transact } = store;
    store.transact = (...args) => {
      store.transact = transact;
      return store.transact(...args).then(() => {
        store.tombstones?.write(stone);
        core.waiting.push("b");
        writer.recall(1n, 7n);
        core.waiting.push("rejoin");
      });
    };
    await writer.flush();
    expect({ folded: core.folded, log: log() }).toEqual({ folded: ["a"], log: ["a"] });
    await writer.flush();
    expect({ folded: core.folded, left: store.tombstones?.all }).toEqual({
      folded: ["a", "leave 1 7", "b", "rejoin"],
      left: [],
    });
    expect(log()).toEqual(core.folded);
  });

  it("a failed flush removes none", async () => {
    const { core, writer } = tab();
    store.tombstones?.write(stone);
    store.failures = [{ error: new TidegateError("QuotaExceeded") }];
    await expectReject(writer.flush(), "QuotaExceeded");
    // The gate is closed, though.
    expect({ left: store.tombstones?.all, waiting: core.waiting }).toEqual({ left: [stone], waiting: ["leave 1 7"] });
  });

  it("one whose leave is in the log adds no row, and is removed when that is on disk", async () => {
    const [first, second] = [tab(), tab()];
    first.core.waiting.push("leave 1 7");
    await first.writer.flush();
    store.tombstones?.write(stone);
    await second.writer.flush();
    expect({ writes: store.writes, left: store.tombstones?.all }).toEqual({
      writes: ["strict", "sync"],
      left: [],
    });
  });

  it("a later leave's is not removed with an earlier one's", async () => {
    const { writer } = tab();
    store.tombstones?.write(stone);
    const flushed = writer.flush();
    store.tombstones?.write({ ...stone, mark: 71n });
    await flushed;
    await writer.flush();
    store.tombstones?.write({ ...stone, mark: 72n });
    expect(store.tombstones?.all).toEqual([{ ...stone, mark: 72n }]);
  });

  it("of a member whom this tab does not know yet stays, and an idle flush writes nothing for it", async () => {
    const { writer } = tab();
    const unknown = { ...stone, user: STRANGER };
    store.tombstones?.write(unknown);
    await writer.flush();
    expect({ writes: store.writes, left: store.tombstones?.all }).toEqual({ writes: [], left: [unknown] });
  });

  it("the core is told when a row on its way turns out not to be stored, and only then", async () => {
    const { core, writer } = tab();
    core.waiting.push("a");
    const { transact } = store;
    store.transact = async (position, step) => {
      step(await store.read(position));
      throw new TidegateError("Storage");
    };
    await expectReject(writer.flush(), "Storage");
    expect(core.failures, "nobody knows").toBe(0);
    store.transact = transact;
    store.failures = [{ error: new TidegateError("Storage"), after: true }];
    await expectReject(writer.flush(), "Storage");
    expect(core.failures, "the first one").toBe(1);
    await writer.flush();
    expect({ failures: core.failures, log: log(), folded: core.folded }).toEqual({
      failures: 1,
      log: ["a"],
      folded: ["a"],
    });
  });

  it("a tab behind a stored leave whose tombstone is gone knows that it is, until it has caught up", async () => {
    const [first, second, third] = [tab(), tab(), tab()];
    first.core.waiting.push("leave 1 7");
    store.tombstones?.write(stone);
    await first.writer.flush();
    expect(store.tombstones?.all).toEqual([]);
    expect([first, second].map(({ writer }) => writer.honour())).toEqual([true, false]);
    await vi.advanceTimersByTimeAsync(0);
    expect(second.writer.honour()).toBe(true);
    expect(second.core.folded).toEqual(["leave 1 7"]);
    third.core.origin = () => 2n;
    expect(third.writer.honour(), "another database").toBe(true);
  });
});

describe("data that was deleted (R18)", () => {
  it("is not written back: the writer starts over, and what was pending falls away", async () => {
    const { core, writer } = tab();
    core.waiting.push("a");
    await writer.flush();
    store.stored = null;
    core.waiting.push("b");
    await writer.flush();
    expect({ told, log: log(), position: writer.position }).toEqual({
      told: [{ type: "reset" }],
      log: [],
      position: 0,
    });
    expect(replaced?.folded).toEqual([]);
    replaced?.waiting.push("c");
    await writer.flush();
    expect({ log: log(), folded: replaced?.folded, old: core.waiting }).toEqual({
      log: ["c"],
      folded: ["c"],
      old: ["b"],
    });
  });

  it("is noticed by a tab that only hears of something, too", async () => {
    const { heard } = tab();
    store.stored = null;
    heard();
    await vi.advanceTimersByTimeAsync(0);
    expect(told).toEqual([{ type: "reset" }]);
  });

  it("is not made again by a tab that closes", async () => {
    const { core, writer } = tab();
    store.stored = null;
    core.waiting.push("a");
    await writer.close();
    expect({ told, stored: store.stored }).toEqual({ told: [], stored: null });
  });
});
