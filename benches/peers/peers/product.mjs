// Tidegate through its public API, as an app calls it.
import { open, restore } from "tidegate";
import { DIMENSIONS, KINDS } from "../lib/workload.mjs";

/** @typedef {import("../lib/peer.mjs").Peer} Peer */
/** @typedef {import("../lib/workload.mjs").Workload} Workload */

/** Keeps rows in memory, so that a flush costs what Tidegate does and not what a disk does. */
class RowStore {
  persistent = false;
  /** How many bytes were appended. */
  written = 0;
  // What a compaction has left, and how many rows it stands for.
  /** @type {Uint8Array[]} */
  #rows = [];
  #compacted = 0;

  load() {
    return Promise.resolve(null);
  }

  create() {
    return Promise.resolve(true);
  }

  /** @param {number} position */
  #news(position) {
    const rows = this.#rows.slice(position - this.#compacted);
    return { compacted: this.#compacted, snapshot: null, rows, overtaken: undefined };
  }

  /** @param {number} position */
  read(position) {
    return Promise.resolve(this.#news(position));
  }

  /**
   * @param {number} position
   * @param {(news: import("tidegate").News) => Uint8Array | null} step
   */
  transact(position, step) {
    const row = step(this.#news(position));
    if (row !== null) {
      this.#rows.push(row);
      this.written += row.length;
    }
    return Promise.resolve();
  }

  /** @param {number} position */
  compact(position) {
    this.#rows.splice(0, position - this.#compacted);
    this.#compacted = position;
    return Promise.resolve(true);
  }

  quarantine() {
    return Promise.resolve();
  }

  close() {}
}

const clock = { now: 0 };
const now = () => clock.now;

/**
 * @param {Workload} workload
 * @param {import("tidegate").Tidegate} db
 * @param {RowStore | undefined} store
 * @returns {Peer}
 */
function over(workload, db, store) {
  const { itemIds, userIds, communityIds } = workload;
  const user = userIds[0];
  const community = communityIds[0];
  const kindNames = KINDS.map(({ name }) => name);
  const kindNumbers = kindNames.map((name) => db.kindOf(name));
  /** What an app keeps that has string ids and wants the typed arrays: the 64-bit id of each name. @type {Map<unknown, bigint>} */
  const known = new Map();
  const idOf = (/** @type {number | string} */ id) => {
    if (typeof id === "number") return BigInt(id);
    let found = known.get(id);
    if (found === undefined) {
      found = db.idOf(id);
      known.set(id, found);
    }
    return found;
  };
  return {
    ingest({ users, communities, items, kinds, at, now: clocks }, from, to) {
      for (let place = from; place < to; place++) {
        const told = clocks[place];
        const happened = at[place];
        clock.now = told;
        db.signal({
          user: userIds[users[place]],
          item: itemIds[items[place]],
          kind: kindNames[kinds[place]],
          community: communityIds[communities[place]],
          at: happened === told ? undefined : happened,
        });
      }
    },
    ingestBatch({ items, kinds, at, now: clocks }, from, to, size) {
      for (let begin = from; begin < to; begin += size) {
        const end = Math.min(begin + size, to);
        const ids = new BigUint64Array(end - begin);
        const numbers = new Uint16Array(end - begin);
        for (let place = begin; place < end; place++) {
          ids[place - begin] = idOf(itemIds[items[place]]);
          numbers[place - begin] = kindNumbers[kinds[place]];
        }
        clock.now = clocks[end - 1];
        db.signalBatch({ user, community, items: ids, kinds: numbers, at: at.slice(begin, end) });
      }
    },
    query(asOf) {
      clock.now = asOf;
      return db.query({ user, community }).items;
    },
    leave() {
      db.leave(user, community);
    },
    async flush() {
      const before = store?.written ?? 0;
      await db.flush();
      return (store?.written ?? 0) - before;
    },
    snapshot: () => db.snapshot(),
    close: () => db.close(),
  };
}

/** @param {Workload} workload */
function* itemsOf({ catalogue, itemIds, categoryNames }) {
  const { count, vectors, starts, categories, creators, createdAt } = catalogue;
  for (let item = 0; item < count; item++) {
    yield {
      id: itemIds[item],
      vector: vectors.subarray(item * DIMENSIONS, (item + 1) * DIMENSIONS),
      categories: Array.from(
        categories.subarray(starts[item], starts[item + 1]),
        (category) => categoryNames[category],
      ),
      creator: creators[item],
      createdAt: createdAt[item],
    };
  }
}

/** @type {import("../lib/peer.mjs").PeerClass} */
export const product = {
  name: "tidegate",
  label: "Tidegate",
  batches: true,
  async create(workload, { log }) {
    const store = log ? new RowStore() : undefined;
    const first = workload.signals.now[0];
    clock.now = first;
    // Nothing is flushed unless it is asked for.
    const db = await open({ storage: store ?? "memory", dimensions: DIMENSIONS, now, flushDelay: "1h" });
    db.upsertItems(itemsOf(workload));
    workload.communityOf.forEach((community, user) => {
      db.join(workload.userIds[user], workload.communityIds[community]);
    });
    await db.flush();
    return over(workload, db, store);
  },
  async restore(workload, bytes) {
    return over(workload, await restore(/** @type {Uint8Array} */ (bytes), { storage: "memory", now }), undefined);
  },
};
