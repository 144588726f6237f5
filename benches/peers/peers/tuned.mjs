// JavaScript tuned by an expert: dense numbers, one interleaved slab of accumulators an owner, exponents looked up once,
// weights scattered first and vectors streamed in memory order, the best 20 in one pass, a binary save.
import { KINDS, RANKING } from "../lib/workload.mjs";
import { pack, unpack } from "./fast/bytes.mjs";
import { Items } from "./fast/items.mjs";
import { Log } from "./fast/log.mjs";
import { Members } from "./fast/members.mjs";
import { fastPeer } from "./fast/peer.mjs";
import { rank } from "./fast/rank.mjs";
import { Tastes } from "./fast/tastes.mjs";

/** A value and a time for each kind: one cache line an item. */
const STRIDE = 2 * KINDS.length;
const RATES = Float64Array.from(KINDS, ({ halfLife }) => -Math.LN2 / halfLife);
const WEIGHTS = Float64Array.from(KINDS, ({ weight }) => weight);

// A signal decays alike in the profile and in the community more often than not.
let exponent = 0;
let factor = 1;
/** @param {number} x */
function exp(x) {
  if (x !== exponent) {
    exponent = x;
    factor = Math.exp(x);
  }
  return factor;
}

/** One owner's accumulators: a row for each item that there is something of. */
class Rows {
  count = 0;

  /** @param {number} itemCount */
  constructor(itemCount, items = new Int32Array(64), slab = new Float64Array(64 * STRIDE)) {
    this.index = new Int32Array(itemCount).fill(-1);
    this.items = items;
    this.slab = slab;
  }

  /**
   * @param {number} itemCount
   * @param {Int32Array} items
   * @param {Float64Array} slab
   */
  static load(itemCount, items, slab) {
    const rows = new Rows(itemCount, items.slice(), slab.slice());
    rows.count = items.length;
    for (let row = 0; row < items.length; row++) rows.index[items[row]] = row;
    return rows;
  }

  columns() {
    return [this.items.subarray(0, this.count), this.slab.subarray(0, this.count * STRIDE)];
  }

  /** @param {number} item */
  #add(item) {
    const row = this.count++;
    if (row === this.items.length) {
      const { items, slab } = this;
      this.items = new Int32Array(items.length * 2);
      this.items.set(items);
      this.slab = new Float64Array(slab.length * 2);
      this.slab.set(slab);
    }
    this.items[row] = item;
    this.index[item] = row;
    return row;
  }

  /**
   * @param {number} item
   * @param {number} kind
   * @param {number} at
   */
  record(item, kind, at) {
    let row = this.index[item];
    if (row < 0) row = this.#add(item);
    const { slab } = this;
    const place = row * STRIDE + 2 * kind;
    const time = slab[place + 1];
    if (time === 0) {
      slab[place] = WEIGHTS[kind];
      slab[place + 1] = at;
    } else if (at >= time) {
      slab[place] = slab[place] * exp((at - time) * RATES[kind]) + WEIGHTS[kind];
      slab[place + 1] = at;
    } else {
      slab[place] += WEIGHTS[kind] * exp((time - at) * RATES[kind]);
    }
  }
}

export class Tuned {
  /** @type {(Rows | undefined)[]} */
  profiles = [];
  /** @type {(Uint8Array | undefined)[]} */
  seen = [];
  /** @type {(Rows | undefined)[]} */
  totals = [];
  /** @type {Log | undefined} */
  log;

  /**
   * @param {Items} items
   * @param {Members} members
   */
  constructor(items, members) {
    this.items = items;
    this.members = members;
    this.tastes = new Tastes(items);
    this.shared = new Float64Array(items.count);
  }

  /** @param {number} user */
  #profile(user) {
    let rows = this.profiles[user];
    if (rows === undefined) {
      rows = new Rows(this.items.count);
      this.profiles[user] = rows;
      this.seen[user] = new Uint8Array(this.items.count);
    }
    return rows;
  }

  /** @param {number} community */
  #total(community) {
    let rows = this.totals[community];
    if (rows === undefined) {
      rows = new Rows(this.items.count);
      this.totals[community] = rows;
    }
    return rows;
  }

  /**
   * @param {number | string} userId
   * @param {number | string} itemId
   * @param {number} kind
   * @param {number | string} communityId
   * @param {number} at
   */
  signal(userId, itemId, kind, communityId, at) {
    const { members } = this;
    const user = members.users.findAgain(userId);
    const community = members.communities.findAgain(communityId);
    const item = this.items.numbers.find(itemId);
    this.#profile(user).record(item, kind, at);
    /** @type {Uint8Array} */ (this.seen[user])[item] = 1;
    if (members.open[members.place(user, community)] !== 0) this.#total(community).record(item, kind, at);
    this.log?.push(user, item, kind, community, at);
  }

  /**
   * Signals of one user: what is the same for all is looked up once.
   * @param {number | string} userId
   * @param {readonly (number | string)[]} itemIds
   * @param {Uint8Array} kinds
   * @param {number | string} communityId
   * @param {Float64Array} at
   */
  signalBatch(userId, itemIds, kinds, communityId, at) {
    const { members, items } = this;
    const user = members.users.find(userId);
    const community = members.communities.find(communityId);
    const profile = this.#profile(user);
    const seen = /** @type {Uint8Array} */ (this.seen[user]);
    const open = members.open[members.place(user, community)] !== 0;
    const total = this.#total(community);
    for (let place = 0; place < itemIds.length; place++) {
      const item = items.numbers.find(itemIds[place]);
      profile.record(item, kinds[place], at[place]);
      seen[item] = 1;
      if (open) total.record(item, kinds[place], at[place]);
      this.log?.push(user, item, kinds[place], community, at[place]);
    }
  }

  /**
   * @param {number} user
   * @param {number} now
   */
  #gather(user, now) {
    const { weights, sizes } = this.tastes;
    const rows = this.#profile(user);
    const { slab, items } = rows;
    // Rows lie in the order in which items came up: their sums are scattered first, and all that follows walks memory in order.
    for (let row = 0; row < rows.count; row++) {
      let sum = 0;
      let evidence = 0;
      const end = (row + 1) * STRIDE;
      for (let place = row * STRIDE, kind = 0; place < end; place += 2, kind++) {
        const value = slab[place];
        if (value === 0) continue;
        const read = value * Math.exp((now - slab[place + 1]) * RATES[kind]);
        sum += read;
        evidence += Math.abs(read);
      }
      weights[items[row]] = sum;
      sizes[items[row]] = evidence;
    }
    this.tastes.blend();
  }

  /**
   * The community's part of each item that the user has not seen.
   * @param {number} user
   * @param {number} community
   * @param {number} now
   */
  #share(user, community, now) {
    const rows = this.totals[community];
    const { members, shared } = this;
    if (rows === undefined || members.open[members.place(user, community)] === 0) return undefined;
    shared.fill(0);
    const seen = /** @type {Uint8Array} */ (this.seen[user]);
    const { slab, items } = rows;
    for (let row = 0; row < rows.count; row++) {
      if (seen[items[row]] !== 0) continue;
      let sum = 0;
      let evidence = 0;
      for (let kind = 0; kind < KINDS.length; kind++) {
        const value = slab[row * STRIDE + 2 * kind];
        if (value === 0) continue;
        const read = value * Math.exp((now - slab[row * STRIDE + 2 * kind + 1]) * RATES[kind]);
        sum += read;
        evidence += Math.abs(read);
      }
      shared[items[row]] = (RANKING.community * sum) / (evidence + RANKING.communityPrior);
    }
    return shared;
  }

  /**
   * @param {number} user
   * @param {number} community
   * @param {number} now
   */
  query(user, community, now) {
    this.#gather(user, now);
    const seen = /** @type {Uint8Array} */ (this.seen[user]);
    return rank(this.items, seen, this.tastes.taste, this.#share(user, community, now), now);
  }

  save() {
    const { items, members } = this;
    const owners = [...this.profiles, ...this.totals].map((rows) => rows !== undefined);
    const columns = [...this.profiles, ...this.totals].flatMap((rows) => rows?.columns() ?? []);
    const seen = this.seen.flatMap((flags) => flags ?? []);
    const textual = typeof items.numbers.ids[0] === "string";
    const head = {
      ids: textual ? items.numbers.ids : undefined,
      users: members.users.ids,
      communities: members.communities.ids,
      owners,
      profiles: this.profiles.length,
    };
    const ids = textual ? [] : [Float64Array.from(/** @type {number[]} */ (items.numbers.ids))];
    return pack(head, [...ids, ...items.columns(), members.open, ...columns, ...seen]);
  }

  /** @param {Uint8Array} bytes */
  static load(bytes) {
    const { head, columns } = unpack(bytes);
    const next = () => columns.shift();
    const ids = head.ids ?? next();
    const items = Items.load(ids, columns.splice(0, 6));
    const tuned = new Tuned(items, new Members(head.users, head.communities, next().slice()));
    const owners = head.owners.map((/** @type {boolean} */ there) =>
      there ? Rows.load(items.count, next(), next()) : undefined,
    );
    tuned.profiles = owners.slice(0, head.profiles);
    tuned.totals = owners.slice(head.profiles);
    tuned.seen = tuned.profiles.map((rows) => (rows === undefined ? undefined : next().slice()));
    return tuned;
  }
}

export const tuned = fastPeer("tuned", "JavaScript, tuned", Tuned);
