// JavaScript as most would write it: objects, Maps with string keys, JSON. Clear rather than clever.
import { DIMENSIONS, KINDS, RANKING } from "../lib/workload.mjs";

/** @typedef {{ value: number, time: number }} Accumulator */
/** @typedef {{ items: Record<string, Record<string, Accumulator>>, seen: string[] }} SavedProfile */
/** @typedef {{ id: string, vector: number[], categories: string[], creator: string, createdAt: number }} Item */

const LIMIT = 20;
const halfLives = new Map(KINDS.map(({ name, halfLife }) => [name, halfLife]));
const weights = new Map(KINDS.map(({ name, weight }) => [name, weight]));

/**
 * @param {number} elapsed
 * @param {string} kind
 */
const decay = (elapsed, kind) => 2 ** (-Math.max(0, elapsed) / /** @type {number} */ (halfLives.get(kind)));

/** Decayed sums by item and kind. */
class Counters {
  /** @type {Map<string, Map<string, Accumulator>>} */
  items = new Map();

  /**
   * @param {string} item
   * @param {string} kind
   * @param {number} at
   */
  add(item, kind, at) {
    const weight = /** @type {number} */ (weights.get(kind));
    let kinds = this.items.get(item);
    if (!kinds) {
      kinds = new Map();
      this.items.set(item, kinds);
    }
    const found = kinds.get(kind);
    if (!found) {
      kinds.set(kind, { value: weight, time: at });
    } else if (at >= found.time) {
      found.value = found.value * decay(at - found.time, kind) + weight;
      found.time = at;
    } else {
      found.value += weight * decay(found.time - at, kind);
    }
  }

  /**
   * The signed and the absolute sum of an item.
   * @param {string} item
   * @param {number} now
   */
  read(item, now) {
    let sum = 0;
    let evidence = 0;
    for (const [kind, { value, time }] of this.items.get(item) ?? []) {
      const read = value * decay(now - time, kind);
      sum += read;
      evidence += Math.abs(read);
    }
    return { sum, evidence };
  }

  toJSON() {
    return Object.fromEntries([...this.items].map(([item, kinds]) => [item, Object.fromEntries(kinds)]));
  }

  /** @param {Record<string, Record<string, Accumulator>>} json */
  static from(json) {
    const counters = new Counters();
    for (const [item, kinds] of Object.entries(json)) counters.items.set(item, new Map(Object.entries(kinds)));
    return counters;
  }
}

class Plain {
  /** @type {Map<string, Item>} */
  catalogue = new Map();
  /** @type {Map<string, { counters: Counters, seen: Set<string> }>} */
  profiles = new Map();
  /** @type {Map<string, Counters>} */
  communities = new Map();
  /** @type {Map<string, { left: boolean }>} */
  members = new Map();
  /** @type {object[] | undefined} */
  log;
  /** How many items have each category; every item has one. @type {Map<string, number>} */
  categorySizes = new Map();

  /** @param {Item} item */
  addItem(item) {
    this.catalogue.set(item.id, item);
    for (const name of item.categories) this.categorySizes.set(name, (this.categorySizes.get(name) ?? 0) + 1);
  }

  /** @param {{ user: string, item: string, kind: string, community: string, at: number }} signal */
  signal(signal) {
    const { user, item, kind, community, at } = signal;
    let profile = this.profiles.get(user);
    if (!profile) {
      profile = { counters: new Counters(), seen: new Set() };
      this.profiles.set(user, profile);
    }
    profile.counters.add(item, kind, at);
    profile.seen.add(item);
    const member = this.members.get(`${user}:${community}`);
    if (member && !member.left) {
      let counters = this.communities.get(community);
      if (!counters) {
        counters = new Counters();
        this.communities.set(community, counters);
      }
      counters.add(item, kind, at);
    }
    this.log?.push(signal);
  }

  /**
   * @param {string} user
   * @param {string} community
   * @param {number} now
   */
  query(user, community, now) {
    const profile = this.profiles.get(user) ?? { counters: new Counters(), seen: new Set() };
    const categories = new Map();
    const creators = new Map();
    const preference = new Array(DIMENSIONS).fill(0);
    let total = 0;
    const add = (
      /** @type {Map<string, { sum: number, evidence: number }>} */ map,
      /** @type {string} */ key,
      /** @type {{ sum: number, evidence: number }} */ part,
    ) => {
      const sums = map.get(key) ?? { sum: 0, evidence: 0 };
      sums.sum += part.sum;
      sums.evidence += part.evidence;
      map.set(key, sums);
    };
    for (const id of profile.counters.items.keys()) {
      const item = this.catalogue.get(id);
      if (!item) continue;
      const part = profile.counters.read(id, now);
      total += part.evidence;
      for (const category of item.categories) add(categories, category, part);
      add(creators, item.creator, part);
      item.vector.forEach((value, axis) => {
        preference[axis] += part.sum * value;
      });
    }
    const length = Math.hypot(...preference) || 1;
    const shrink = (/** @type {{ sum: number, evidence: number } | undefined} */ part, /** @type {number} */ prior) =>
      part ? part.sum / (part.evidence + prior) : 0;
    const member = this.members.get(`${user}:${community}`);
    const group = member && !member.left ? this.communities.get(community) : undefined;
    const ranked = [];
    for (const item of this.catalogue.values()) {
      if (profile.seen.has(item.id)) continue;
      const category = item.categories.map((name) => {
        const share = (this.categorySizes.get(name) ?? 0) / this.catalogue.size;
        return shrink(categories.get(name), RANKING.affinityPrior + RANKING.chance * share * total);
      });
      const dot = item.vector.reduce((sum, value, axis) => sum + value * preference[axis], 0);
      const cosine = dot / length / Math.hypot(...item.vector);
      const local =
        RANKING.item * shrink(profile.counters.read(item.id, now), RANKING.itemPrior) +
        (RANKING.category * category.reduce((sum, value) => sum + value, 0)) / Math.sqrt(category.length) +
        RANKING.creator * shrink(creators.get(item.creator), RANKING.affinityPrior) +
        ((RANKING.vector * total) / (total + RANKING.affinityPrior)) * cosine +
        RANKING.fresh * 2 ** (-Math.max(0, now - item.createdAt) / RANKING.freshHalfLife);
      const shared = group ? RANKING.community * shrink(group.read(item.id, now), RANKING.communityPrior) : 0;
      ranked.push({ id: item.id, score: local + shared, local, community: shared });
    }
    ranked.sort((a, b) => b.score - a.score);
    return ranked.slice(0, LIMIT);
  }

  toJSON() {
    return {
      catalogue: [...this.catalogue.values()],
      profiles: [...this.profiles].map(([user, { counters, seen }]) => [user, { items: counters, seen: [...seen] }]),
      communities: [...this.communities],
      members: [...this.members],
    };
  }

  /** @param {string} text */
  static parse(text) {
    const saved = JSON.parse(text);
    const plain = new Plain();
    for (const item of saved.catalogue) plain.addItem(item);
    for (const [user, { items, seen }] of /** @type {[string, SavedProfile][]} */ (saved.profiles)) {
      plain.profiles.set(user, { counters: Counters.from(items), seen: new Set(seen) });
    }
    for (const [community, items] of saved.communities) plain.communities.set(community, Counters.from(items));
    plain.members = new Map(saved.members);
    return plain;
  }
}

/**
 * @param {import("../lib/workload.mjs").Workload} workload
 * @param {Plain} plain
 * @returns {import("../lib/peer.mjs").Peer}
 */
function over({ itemIds, userIds, communityIds }, plain) {
  // Keys are strings, as those of JSON are.
  const [items, users, communities] = [itemIds, userIds, communityIds].map((ids) => ids.map(String));
  const [user, community] = [users[0], communities[0]];
  return {
    ingest(signals, from, to) {
      for (let place = from; place < to; place++) {
        plain.signal({
          user: users[signals.users[place]],
          item: items[signals.items[place]],
          kind: /** @type {{ name: string }} */ (KINDS[signals.kinds[place] ?? 0]).name,
          community: communities[signals.communities[place]],
          at: signals.at[place],
        });
      }
    },
    query: (now) => plain.query(user, community, now),
    leave() {
      const member = plain.members.get(`${user}:${community}`);
      if (member) member.left = true;
    },
    flush() {
      const text = JSON.stringify(plain.log);
      plain.log = [];
      return text.length;
    },
    snapshot: () => JSON.stringify(plain),
    close() {},
  };
}

/** @type {import("../lib/peer.mjs").PeerClass} */
export const plain = {
  name: "plain",
  label: "JavaScript, plain",
  pace: 0.05,
  create(workload, { log }) {
    const { catalogue, itemIds, userIds, communityIds, communityOf, categoryNames } = workload;
    const database = new Plain();
    if (log) database.log = [];
    for (let item = 0; item < catalogue.count; item++) {
      const id = String(itemIds[item]);
      database.addItem({
        id,
        vector: [...catalogue.vectors.subarray(item * DIMENSIONS, (item + 1) * DIMENSIONS)],
        categories: Array.from(
          catalogue.categories.subarray(catalogue.starts[item], catalogue.starts[item + 1]),
          (category) => categoryNames[category],
        ),
        creator: String(catalogue.creators[item]),
        createdAt: catalogue.createdAt[item],
      });
    }
    communityOf.forEach((community, user) => {
      database.members.set(`${userIds[user]}:${communityIds[community]}`, { left: false });
    });
    return over(workload, database);
  },
  restore: (workload, saved) => over(workload, Plain.parse(/** @type {string} */ (saved))),
};
