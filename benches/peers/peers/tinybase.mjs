// TinyBase: accumulators as rows of its tables, one transaction a signal or a batch. The catalogue stays in typed arrays, since
// its cells hold no vectors, and the ranking is the tuned peer's.
import { createStore } from "tinybase/store";
import { KINDS, RANKING } from "../lib/workload.mjs";
import { pack, unpack } from "./fast/bytes.mjs";
import { Items } from "./fast/items.mjs";
import { rank } from "./fast/rank.mjs";
import { Tastes } from "./fast/tastes.mjs";

const RATES = KINDS.map(({ halfLife }) => -Math.LN2 / halfLife);
/** The cells of each kind: a value and a time. */
const CELLS = KINDS.map(({ name }) => /** @type {const} */ ([name, `${name} at`]));
const KIND_OF = new Map(KINDS.map(({ name }, kind) => [name, kind]));

class Tiny {
  /** @type {object[] | undefined} */
  log;

  /**
   * @param {Items} items
   * @param {import("../lib/workload.mjs").Workload} workload
   */
  constructor(items, { itemIds, userIds, communityIds }) {
    this.items = items;
    this.store = createStore();
    this.itemIds = itemIds.map(String);
    this.numbers = new Map(this.itemIds.map((id, item) => [id, item]));
    this.userIds = userIds.map(String);
    this.communityIds = communityIds.map(String);
    this.tastes = new Tastes(items);
    this.seen = new Uint8Array(items.count);
    this.shared = new Float64Array(items.count);
  }

  /** Hands every transaction's changes to the log, as a persister would get them. */
  keepLog() {
    /** @type {object[]} */
    const log = [];
    this.log = log;
    this.store.addDidFinishTransactionListener((store) => {
      log.push(store.getTransactionChanges());
    });
  }

  /**
   * @param {string} table
   * @param {string} item
   * @param {number} kind
   * @param {number} at
   */
  #add(table, item, kind, at) {
    const { store } = this;
    const [valueCell, timeCell] = CELLS[kind];
    const { weight } = KINDS[kind];
    const value = /** @type {number | undefined} */ (store.getCell(table, item, valueCell));
    if (value === undefined) {
      store.setPartialRow(table, item, { [valueCell]: weight, [timeCell]: at });
      return;
    }
    const time = /** @type {number} */ (store.getCell(table, item, timeCell));
    if (at >= time) {
      const decayed = value * Math.exp((at - time) * RATES[kind]) + weight;
      store.setPartialRow(table, item, { [valueCell]: decayed, [timeCell]: at });
    } else store.setCell(table, item, valueCell, value + weight * Math.exp((time - at) * RATES[kind]));
  }

  /** @param {import("../lib/workload.mjs").Signals} signals @param {number} place */
  signal(signals, place) {
    const user = this.userIds[signals.users[place]];
    const item = this.itemIds[signals.items[place]];
    const community = this.communityIds[signals.communities[place]];
    this.#add(`own ${user}`, item, signals.kinds[place], signals.at[place]);
    if (this.store.getCell("members", user, community) === true) {
      this.#add(`total ${community}`, item, signals.kinds[place], signals.at[place]);
    }
  }

  /**
   * @param {string} table
   * @param {number} now
   * @param {(item: number, sum: number, evidence: number) => void} each
   */
  #read(table, now, each) {
    for (const [id, row] of Object.entries(this.store.getTable(table))) {
      let sum = 0;
      let evidence = 0;
      for (const name in row) {
        const kind = KIND_OF.get(name);
        if (kind === undefined) continue;
        const read = Number(row[name]) * Math.exp((now - Number(row[CELLS[kind][1]])) * RATES[kind]);
        sum += read;
        evidence += Math.abs(read);
      }
      each(/** @type {number} */ (this.numbers.get(id)), sum, evidence);
    }
  }

  /** @param {number} now */
  query(now) {
    const [user, community] = [this.userIds[0], this.communityIds[0]];
    const { tastes, seen, shared } = this;
    seen.fill(0);
    this.#read(`own ${user}`, now, (item, sum, evidence) => {
      seen[item] = 1;
      tastes.weights[item] = sum;
      tastes.sizes[item] = evidence;
    });
    const open = this.store.getCell("members", user, community) === true;
    shared.fill(0);
    if (open) {
      this.#read(`total ${community}`, now, (item, sum, evidence) => {
        shared[item] = (RANKING.community * sum) / (evidence + RANKING.communityPrior);
      });
    }
    return rank(this.items, seen, tastes.blend(), open ? shared : undefined, now);
  }
}

/**
 * @param {Tiny} tiny
 * @returns {import("../lib/peer.mjs").Peer}
 */
const over = (tiny) => ({
  ingest(signals, from, to) {
    for (let place = from; place < to; place++) tiny.store.transaction(() => tiny.signal(signals, place));
  },
  ingestBatch(signals, from, to, size) {
    for (let begin = from; begin < to; begin += size) {
      tiny.store.transaction(() => {
        for (let place = begin; place < Math.min(begin + size, to); place++) tiny.signal(signals, place);
      });
    }
  },
  query: (now) => tiny.query(now),
  leave() {
    tiny.store.setCell("members", tiny.userIds[0], tiny.communityIds[0], false);
  },
  flush() {
    const text = JSON.stringify(tiny.log);
    if (tiny.log !== undefined) tiny.log.length = 0;
    return text.length;
  },
  snapshot: () => pack({ store: tiny.store.getJson() }, tiny.items.columns()),
  close() {},
});

/** @type {import("../lib/peer.mjs").PeerClass} */
export const tinybase = {
  name: "tinybase",
  label: "TinyBase",
  batches: true,
  pace: 0.05,
  slow: true,
  create(workload, { log }) {
    const tiny = new Tiny(Items.from(workload.catalogue, workload.itemIds), workload);
    workload.communityOf.forEach((community, user) => {
      tiny.store.setCell("members", tiny.userIds[user], tiny.communityIds[community], true);
    });
    if (log) tiny.keepLog();
    return over(tiny);
  },
  restore(workload, saved) {
    const { head, columns } = unpack(/** @type {Uint8Array} */ (saved));
    const tiny = new Tiny(Items.load(workload.itemIds, columns), workload);
    tiny.store.setJson(head.store);
    return over(tiny);
  },
};
