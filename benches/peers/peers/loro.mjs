// loro-crdt: accumulators as values of its maps, committed with the batch or when bytes are asked for. The catalogue stays in
// typed arrays, since nobody edits it together, and the ranking is the tuned peer's.
import { LoroDoc } from "loro-crdt";
import { KINDS, RANKING } from "../lib/workload.mjs";
import { pack, unpack } from "./fast/bytes.mjs";
import { Items } from "./fast/items.mjs";
import { rank } from "./fast/rank.mjs";
import { Tastes } from "./fast/tastes.mjs";

const RATES = KINDS.map(({ halfLife }) => -Math.LN2 / halfLife);

/** @typedef {[value: number, time: number]} Accumulator */

class Loro {
  /**
   * @param {Items} items
   * @param {LoroDoc} doc
   * @param {import("../lib/workload.mjs").Workload} workload
   */
  constructor(items, doc, { itemIds, userIds, communityIds }) {
    this.items = items;
    this.doc = doc;
    this.version = doc.oplogVersion();
    this.own = userIds.map((user) => doc.getMap(`own ${user}`));
    this.totals = communityIds.map((community) => doc.getMap(`total ${community}`));
    this.members = doc.getMap("members");
    // An item and a kind make a key, which is made once.
    this.keys = KINDS.map((_, kind) => itemIds.map((id) => `${kind} ${id}`));
    this.numbers = new Map(itemIds.map((id, item) => [String(id), item]));
    this.tastes = new Tastes(items);
    this.seen = new Uint8Array(items.count);
    this.shared = new Float64Array(items.count);
  }

  /** @param {number} user @param {number} community */
  static member = (user, community) => `${user} ${community}`;

  /**
   * @param {import("loro-crdt").LoroMap} map
   * @param {string} key
   * @param {number} kind
   * @param {number} at
   */
  #add(map, key, kind, at) {
    const { weight } = KINDS[kind];
    const found = /** @type {Accumulator | undefined} */ (map.get(key));
    if (found === undefined) map.set(key, [weight, at]);
    else if (at >= found[1]) map.set(key, [found[0] * Math.exp((at - found[1]) * RATES[kind]) + weight, at]);
    else map.set(key, [found[0] + weight * Math.exp((found[1] - at) * RATES[kind]), found[1]]);
  }

  /** @param {import("../lib/workload.mjs").Signals} signals @param {number} place */
  signal({ users, communities, items, kinds, at }, place) {
    const kind = kinds[place];
    const key = this.keys[kind][items[place]];
    this.#add(this.own[users[place]], key, kind, at[place]);
    if (this.members.get(Loro.member(users[place], communities[place])) === true) {
      this.#add(this.totals[communities[place]], key, kind, at[place]);
    }
  }

  /**
   * @param {import("loro-crdt").LoroMap} map
   * @param {number} now
   * @param {(item: number, read: number) => void} each
   */
  #read(map, now, each) {
    for (const [key, [value, time]] of /** @type {[string, Accumulator][]} */ (Object.entries(map.toJSON()))) {
      const item = /** @type {number} */ (this.numbers.get(key.slice(2)));
      each(item, value * Math.exp((now - time) * RATES[Number(key[0])]));
    }
  }

  /** @param {number} now */
  query(now) {
    const { tastes, seen, shared } = this;
    const { weights, sizes } = tastes;
    seen.fill(0);
    weights.fill(0);
    this.#read(this.own[0], now, (item, read) => {
      seen[item] = 1;
      weights[item] += read;
      sizes[item] += Math.abs(read);
    });
    const taste = tastes.blend();
    const open = this.members.get(Loro.member(0, 0)) === true;
    if (!open) return rank(this.items, seen, taste, undefined, now);
    weights.fill(0);
    this.#read(this.totals[0], now, (item, read) => {
      weights[item] += read;
      sizes[item] += Math.abs(read);
    });
    for (let item = 0; item < shared.length; item++) {
      shared[item] = (RANKING.community * weights[item]) / (sizes[item] + RANKING.communityPrior);
    }
    sizes.fill(0);
    return rank(this.items, seen, taste, shared, now);
  }
}

/**
 * @param {Loro} loro
 * @returns {import("../lib/peer.mjs").Peer}
 */
const over = (loro) => ({
  ingest(signals, from, to) {
    for (let place = from; place < to; place++) loro.signal(signals, place);
  },
  ingestBatch(signals, from, to, size) {
    for (let begin = from; begin < to; begin += size) {
      for (let place = begin; place < Math.min(begin + size, to); place++) loro.signal(signals, place);
      loro.doc.commit();
    }
  },
  query: (now) => loro.query(now),
  leave() {
    loro.members.set(Loro.member(0, 0), false);
  },
  flush() {
    const bytes = loro.doc.export({ mode: "update", from: loro.version });
    loro.version = loro.doc.oplogVersion();
    return bytes.length;
  },
  // Without the history, which the others do not keep.
  snapshot() {
    loro.doc.commit();
    const state = loro.doc.export({ mode: "shallow-snapshot", frontiers: loro.doc.frontiers() });
    return pack({}, [...loro.items.columns(), state]);
  },
  close() {
    loro.doc.free();
  },
});

/** @type {import("../lib/peer.mjs").PeerClass} */
export const loro = {
  name: "loro",
  label: "loro-crdt",
  batches: true,
  pace: 0.05,
  slow: true,
  create(workload) {
    const database = new Loro(Items.from(workload.catalogue, workload.itemIds), new LoroDoc(), workload);
    workload.communityOf.forEach((community, user) => {
      database.members.set(Loro.member(user, community), true);
    });
    return over(database);
  },
  restore(workload, saved) {
    const { columns } = unpack(/** @type {Uint8Array} */ (saved));
    const doc = LoroDoc.fromSnapshot(columns.pop());
    return over(new Loro(Items.load(workload.itemIds, columns), doc, workload));
  },
};
