// Case C8: damaged bytes are refused, and kept.
import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type OpenOptions, open, restore, TidegateError } from "../../js/index.js";
import { Clock } from "./support/clock.js";
import { fillSample, mark, marks, openTest, SIGNALS } from "./support/database.js";
import { expectReject } from "./support/errors.js";
import { MemoryStore } from "./support/memory-store.js";

let clock: Clock;
let errors: TidegateError[];

beforeEach(() => {
  vi.stubGlobal("indexedDB", new IDBFactory());
  clock = new Clock();
  errors = [];
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const on = (storage: OpenOptions["storage"], options: OpenOptions = {}) =>
  open({ storage, now: clock.now, signals: SIGNALS, onError: (error) => errors.push(error), ...options });

const sample = async (storage: OpenOptions["storage"]) => fillSample(await on(storage));

describe("C8: damaged bytes", () => {
  let snapshot: Uint8Array;
  beforeEach(async () => {
    const database = await sample("memory");
    database.leave("ann", "club");
    database.setCohorts("ann", ["grown-ups"]);
    snapshot = database.snapshot();
    await database.close();
  });

  const refused = async (bytes: Uint8Array): Promise<string> =>
    restore(bytes, { storage: "memory" }).then(
      () => "restored",
      (error: unknown) => (error instanceof TidegateError ? error.code : String(error)),
    );

  it("every prefix is CorruptSnapshot", async () => {
    const codes = new Set<string>();
    for (let length = 0; length < snapshot.length; length++) codes.add(await refused(snapshot.subarray(0, length)));
    expect([...codes]).toEqual(["CorruptSnapshot"]);
  });

  it("every flipped bit is CorruptSnapshot, or UnsupportedVersion in the version", async () => {
    const versions: number[] = [];
    for (let index = 0; index < snapshot.length; index++) {
      for (let bit = 0; bit < 8; bit++) {
        const damaged = snapshot.slice();
        damaged[index] = (damaged[index] ?? 0) ^ (1 << bit);
        const code = await refused(damaged);
        expect(["CorruptSnapshot", "UnsupportedVersion"], `bit ${bit} of byte ${index}: ${code}`).toContain(code);
        if (code === "UnsupportedVersion") versions.push(index);
      }
    }
    // A version has two bytes, somewhere at the start.
    expect(new Set(versions).size).toBeLessThanOrEqual(2);
    expect(Math.max(...versions)).toBeLessThan(16);
  });

  it("trailing bytes, two in a row, nothing, noise and a length of 2^40 are CorruptSnapshot, in bounded memory", async () => {
    const database = await openTest();
    const { wasmBytes } = database.stats();
    const noise = Uint8Array.from({ length: 1_000_000 }, (_, index) => (index * 2_654_435_761) >>> 11);
    const join = (...parts: Uint8Array[]): Uint8Array => Uint8Array.from(parts.flatMap((part) => [...part]));
    const long = snapshot.slice();
    const view = new DataView(long.buffer);
    for (let offset = 4; offset < 16; offset++) {
      const copy = long.slice();
      new DataView(copy.buffer).setBigUint64(offset, 2n ** 40n, true);
      expect(await refused(copy)).toMatch(/^(CorruptSnapshot|UnsupportedVersion)$/);
    }
    expect(view.byteLength).toBe(snapshot.length);
    for (const bytes of [join(snapshot, Uint8Array.of(0)), join(snapshot, snapshot), new Uint8Array(0), noise]) {
      expect(await refused(bytes)).toBe("CorruptSnapshot");
    }
    expect(database.stats().wasmBytes - wasmBytes).toBeLessThan(8_000_000);
    await database.close();
  });

  it("bytes that are no bytes are InvalidArgument", async () => {
    for (const bytes of [null, undefined, "bytes", 5, {}, [1, 2, 3]]) {
      await expectReject(restore(bytes as unknown as Uint8Array), "InvalidArgument", "snapshot");
    }
  });

  it("a damaged stored snapshot rejects open, and nothing is overwritten", async () => {
    const storage = new MemoryStore();
    await (await sample(storage)).close();
    const byte = (storage.stored?.snapshot.length ?? 0) - 1;
    storage.stored?.snapshot.set([(storage.stored.snapshot[byte] ?? 0) ^ 0x40], byte);
    const before = structuredClone({ stored: storage.stored, writes: storage.writes });
    await expectReject(on(storage), "CorruptSnapshot");
    await expectReject(on(storage, { onCorrupt: "reject" }), "CorruptSnapshot");
    expect({ stored: storage.stored, writes: storage.writes }).toEqual(before);
  });

  it("damaged stored rows reject open as CorruptEvents: every prefix and every flipped byte", async () => {
    const storage = new MemoryStore();
    await (await sample(storage)).close();
    const { stored } = storage;
    const row = stored?.rows.at(-1) ?? new Uint8Array(0);
    expect(row.length).toBeGreaterThan(0);
    const damaged: Uint8Array[] = [];
    for (let length = 0; length < row.length; length++) damaged.push(row.slice(0, length));
    for (let index = 0; index < row.length; index++) {
      const flipped = row.slice();
      flipped[index] = (flipped[index] ?? 0) ^ 0xff;
      damaged.push(flipped);
    }
    for (const bytes of damaged) {
      storage.stored = {
        snapshot: new Uint8Array(0),
        position: 0,
        ...stored,
        rows: [...(stored?.rows.slice(0, -1) ?? []), bytes],
      };
      const code = await on(storage).then(
        () => "opened",
        (error: TidegateError) => error.code,
      );
      expect(["CorruptEvents", "UnsupportedVersion"]).toContain(code);
    }
  });

  it("with onCorrupt: startEmpty it starts empty, keeps the damaged bytes aside and tells", async () => {
    const storage = new MemoryStore();
    await (await sample(storage)).close();
    storage.stored?.snapshot.fill(9, 0, 4);
    const damaged = structuredClone(storage.stored);
    const database = await on(storage, { onCorrupt: "startEmpty" });
    expect(errors.map(({ code }) => code)).toEqual(["CorruptSnapshot"]);
    expect(storage.quarantined).toEqual([damaged]);
    expect(database.profile("ann").items).toEqual([]);
    expect(mark(database, "ann", 1, "club")).toBe("NotMember");
    await database.close();
    const again = await on(storage);
    expect(marks(again, "ann")).toEqual({ 1: 1 });
    await again.close();
  });

  it("auto does not pass over damaged bytes either", async () => {
    await (await sample("indexeddb")).close();
    await new Promise<void>((resolve, reject) => {
      const request = indexedDB.open("tidegate:tidegate");
      request.onerror = () => reject(request.error);
      request.onsuccess = () => {
        const transaction = request.result.transaction("snapshot", "readwrite");
        transaction.objectStore("snapshot").put(Uint8Array.of(1, 2, 3), "bytes");
        transaction.oncomplete = () => resolve(request.result.close());
      };
    });
    await expectReject(on("auto"), "CorruptSnapshot");
    const database = await on("auto", { onCorrupt: "startEmpty" });
    expect(database.persistent).toBe(true);
    await database.close();
  });
});
