// What every store passes. A store's own test calls this with a way to make one, and to open the same place again.
import * as vitest from "vitest";
import { type ErrorCode, TidegateError } from "../../js/errors.js";
import { fingerprint } from "../../js/fingerprint.js";
import type { News, Store } from "../../js/store.js";
import { expectReject } from "./support/errors.js";

/** Makes stores over one place, empty at first. */
export interface Place {
  /** Opens the place; what one of these stored the next one finds. */
  open(): Store;
  /** Makes the next write fail: before anything is stored, or, for "lost", after. */
  fail?: Partial<Record<Fault, () => void>>;
}

/** What can go wrong with a write, and how that shows. */
type Fault = "full" | "aborted" | "lost";
const CODES: Record<Fault, ErrorCode> = { full: "QuotaExceeded", aborted: "Storage", lost: "Storage" };

const { expect } = vitest;

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

/** What the cases are given to: vitest, or, where the store is in a page, what runs them there. */
export interface Runner {
  describe(name: string, body: () => void): unknown;
  it: {
    (title: string, body: () => Promise<void>): unknown;
    each<T>(values: readonly T[]): (title: string, body: (value: T) => Promise<void>) => unknown;
  };
}

/** Describes what every store does. */
export function acceptStore(name: string, place: () => Place, { describe, it }: Runner = vitest): void {
  describe(`${name} as a store`, () => {
    it("is empty at first", async () => {
      expect(await place().open().load()).toBeNull();
    });

    it("creates once, and gives back what was created", async () => {
      const here = place();
      expect(await here.open().create(bytes(1, 2, 3))).toBe(true);
      expect(await here.open().create(bytes(9))).toBe(false);
      expect(await here.open().load()).toEqual({ snapshot: bytes(1, 2, 3), position: 0, rows: [] });
    });

    it("appends rows in order, and shows a tab those after its position", async () => {
      const here = place();
      const store = here.open();
      await store.create(bytes(0));
      await store.transact(0, () => bytes(1), "relaxed");
      await store.transact(1, () => bytes(2), "strict");
      const seen: Uint8Array[][] = [];
      const other = here.open();
      const step = (row: Uint8Array | null) => (news: News) => {
        expect(news).toMatchObject({ compacted: 0, snapshot: null });
        seen.push(news.rows);
        return row;
      };
      await other.transact(0, step(bytes(3)), "strict");
      await other.transact(3, step(null), "strict");
      await other.transact(2, step(null), "relaxed");
      expect(seen).toEqual([[bytes(1), bytes(2)], [], [bytes(3)]]);
      expect(await here.open().load()).toEqual({
        snapshot: bytes(0),
        position: 0,
        rows: [bytes(1), bytes(2), bytes(3)],
      });
    });

    it("serialises transactions of two tabs: neither row is lost", async () => {
      const here = place();
      const [a, b] = [here.open(), here.open()];
      await a.create(bytes(0));
      const append = (store: Store, value: number) => store.transact(0, () => bytes(value), "relaxed");
      await Promise.all([append(a, 1), append(b, 2), append(a, 3), append(b, 4)]);
      const rows = (await here.open().load())?.rows ?? [];
      expect(rows.map(([value]) => value).sort()).toEqual([1, 2, 3, 4]);
    });

    it("is undone by a step that throws, and rejects with what was thrown", async () => {
      const here = place();
      const store = here.open();
      await store.create(bytes(0));
      const failing = store.transact(
        0,
        () => {
          throw new TidegateError("CorruptEvents");
        },
        "strict",
      );
      await expectReject(failing, "CorruptEvents");
      await store.transact(0, () => bytes(1), "relaxed");
      expect((await here.open().load())?.rows).toEqual([bytes(1)]);
    });

    it("compacts to a position and keeps the rows after it", async () => {
      const here = place();
      const store = here.open();
      await store.create(bytes(0));
      for (const value of [1, 2, 3]) await store.transact(value - 1, () => bytes(value), "relaxed");
      await store.compact(2, bytes(0, 1, 2));
      expect(await here.open().load()).toEqual({ snapshot: bytes(0, 1, 2), position: 2, rows: [bytes(3)] });
      await store.transact(3, () => bytes(4), "strict");
      expect((await here.open().load())?.rows).toEqual([bytes(3), bytes(4)]);
    });

    it("does not replace a snapshot by an older one", async () => {
      const here = place();
      const store = here.open();
      await store.create(bytes(0));
      for (const value of [1, 2]) await store.transact(value - 1, () => bytes(value), "relaxed");
      await store.compact(2, bytes(2));
      await store.compact(1, bytes(1));
      expect(await here.open().load()).toEqual({ snapshot: bytes(2), position: 2, rows: [] });
    });

    it("gives a tab that a compaction left behind the snapshot, and tells what became of its row", async () => {
      const here = place();
      const store = here.open();
      await store.create(bytes(0));
      for (const value of [1, 2, 3]) await store.transact(value - 1, () => bytes(value), "relaxed");
      await store.compact(2, bytes(7));
      const news: News = { compacted: 2, snapshot: bytes(7), rows: [bytes(3)], overtaken: fingerprint(bytes(2)) };
      expect(await store.read(1)).toEqual(news);
      let seen: News | undefined;
      const step = (found: News) => {
        seen = found;
        return bytes(4);
      };
      await store.transact(0, step, "strict");
      expect(seen).toEqual({ ...news, overtaken: fingerprint(bytes(1)) });
      expect(await here.open().load()).toEqual({ snapshot: bytes(7), position: 2, rows: [bytes(3), bytes(4)] });
      await store.compact(4, bytes(8));
      expect((await store.read(0)).overtaken).toBe(fingerprint(bytes(1)));
    });

    it("shows what is stored beyond a position without changing anything", async () => {
      const here = place();
      const store = here.open();
      await store.create(bytes(0));
      await store.transact(0, () => bytes(1), "strict");
      await store.transact(1, () => bytes(2), "strict");
      const before = await here.open().load();
      expect(await store.read(1)).toEqual({ compacted: 0, snapshot: null, rows: [bytes(2)], overtaken: undefined });
      expect((await store.read(2)).rows).toEqual([]);
      expect(await here.open().load()).toEqual(before);
    });

    it("is empty after a quarantine, and can be filled again (R9)", async () => {
      const here = place();
      const store = here.open();
      await store.create(bytes(1));
      await store.transact(0, () => bytes(2), "strict");
      await store.quarantine();
      expect(await here.open().load()).toBeNull();
      expect(await store.create(bytes(3))).toBe(true);
    });

    it("keeps copies: neither side sees the other's later changes", async () => {
      const here = place();
      const store = here.open();
      const snapshot = bytes(1);
      const row = bytes(2);
      await store.create(snapshot);
      await store.transact(0, () => row, "strict");
      snapshot[0] = 9;
      row[0] = 9;
      const loaded = await here.open().load();
      loaded?.rows[0]?.fill(8);
      expect(await here.open().load()).toEqual({ snapshot: bytes(1), position: 0, rows: [bytes(2)] });
    });

    it("stores bytes of a view, not of the buffer behind it", async () => {
      const here = place();
      await here.open().create(bytes(9, 1, 2, 9).subarray(1, 3));
      expect((await here.open().load())?.snapshot).toEqual(bytes(1, 2));
    });

    it.each(Object.keys(place().fail ?? {}) as Fault[])(
      "takes a write that is %s as what it is, and goes on",
      async (fault) => {
        const here = place();
        const store = here.open();
        await store.create(bytes(0));
        await store.transact(0, () => bytes(1), "strict");
        here.fail?.[fault]?.();
        await expectReject(
          store.transact(1, () => bytes(2), "strict"),
          CODES[fault],
        );
        const stored = fault === "lost" ? [bytes(1), bytes(2)] : [bytes(1)];
        expect((await here.open().load())?.rows).toEqual(stored);
        await store.transact(stored.length, () => bytes(3), "strict");
        expect((await here.open().load())?.rows).toEqual([...stored, bytes(3)]);
      },
    );
  });
}
