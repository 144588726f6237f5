// The tuned peer with forward decay: values are kept as of one landmark in time, so that a signal costs one exponent and a
// read none, and everything that is a sum over a user's signals is kept up to date signal by signal.
import { DIMENSIONS, KINDS, RANKING, START } from "../lib/workload.mjs";
import { pack, unpack } from "./fast/bytes.mjs";
import { Items } from "./fast/items.mjs";
import { Log } from "./fast/log.mjs";
import { Members } from "./fast/members.mjs";
import { fastPeer } from "./fast/peer.mjs";
import { noTaste, rank } from "./fast/rank.mjs";

const HALF_LIVES = [...new Set(KINDS.map(({ halfLife }) => halfLife))];
const CLASSES = HALF_LIVES.length;
const RATES = HALF_LIVES.map((halfLife) => Math.LN2 / halfLife);
/** What decays alike is kept together: each kind's class. */
const CLASS = Uint8Array.from(KINDS, ({ halfLife }) => HALF_LIVES.indexOf(halfLife));
const WEIGHTS = Float64Array.from(KINDS, ({ weight }) => weight);
/** The signed and the absolute sum of each class. */
const STRIDE = 2 * CLASSES;
/** Past so large an exponent the landmark is moved: e^700 is the end of the numbers. */
const FAR = 500;

/** Sums by item of one owner, as of the landmark. */
class Sums {
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
    const sums = new Sums(itemCount, items.slice(), slab.slice());
    sums.count = items.length;
    for (let row = 0; row < items.length; row++) sums.index[items[row]] = row;
    return sums;
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
   * @param {number} place which sums of the row
   * @param {number} value
   */
  record(item, place, value) {
    let row = this.index[item];
    if (row < 0) row = this.#add(item);
    this.slab[row * STRIDE + place] += value;
    this.slab[row * STRIDE + place + 1] += Math.abs(value);
  }
}

/** A user: sums by item, and by class what the ranking reads. */
class Profile {
  /** @param {Items} items */
  constructor(items, sums = new Sums(items.count), seen = new Uint8Array(items.count)) {
    this.sums = sums;
    this.seen = seen;
    this.tastes = HALF_LIVES.map(() => noTaste(items));
  }

  /** Derived from the sums again. @param {Items} items */
  rebuild(items) {
    const { slab, items: places, count } = this.sums;
    this.tastes = HALF_LIVES.map(() => noTaste(items));
    for (let row = 0; row < count; row++) {
      for (let of = 0; of < CLASSES; of++) {
        const place = row * STRIDE + 2 * of;
        if (slab[place + 1] !== 0) this.like(items, places[row], of, slab[place], slab[place + 1]);
      }
    }
  }

  /**
   * @param {Items} items
   * @param {number} item
   * @param {number} of the class
   * @param {number} value
   * @param {number} size
   */
  like({ starts, categories, creators, vectors }, item, of, value, size) {
    const taste = this.tastes[of];
    taste.evidence += size;
    for (let place = starts[item]; place < starts[item + 1]; place++) {
      taste.categorySums[categories[place]] += value;
      taste.categoryEvidence[categories[place]] += size;
    }
    taste.creatorSums[creators[item]] += value;
    taste.creatorEvidence[creators[item]] += size;
    const { preference } = taste;
    const base = item * DIMENSIONS;
    for (let axis = 0; axis < DIMENSIONS; axis++) preference[axis] += value * vectors[base + axis];
  }

  /** All classes together, each as far as it has decayed. @param {Items} items @param {number[]} scales */
  taste(items, scales) {
    const all = noTaste(items);
    this.tastes.forEach((taste, of) => {
      const scale = scales[of];
      all.evidence += taste.evidence * scale;
      for (const name of /** @type {const} */ ([
        "categorySums",
        "categoryEvidence",
        "creatorSums",
        "creatorEvidence",
        "preference",
      ])) {
        const [into, from] = [all[name], taste[name]];
        for (let n = 0; n < into.length; n++) into[n] += from[n] * scale;
      }
    });
    return all;
  }
}

export class Forward {
  landmark = START;
  /** @type {(Profile | undefined)[]} */
  profiles = [];
  /** @type {(Sums | undefined)[]} */
  totals = [];
  /** @type {Log | undefined} */
  log;
  // The factors of the last time that was asked for.
  #at = Number.NaN;
  #factors = new Float64Array(CLASSES);

  /**
   * @param {Items} items
   * @param {Members} members
   */
  constructor(items, members) {
    this.items = items;
    this.members = members;
    this.shared = new Float64Array(items.count);
  }

  /** @param {number} user */
  #profile(user) {
    let profile = this.profiles[user];
    if (profile === undefined) {
      profile = new Profile(this.items);
      this.profiles[user] = profile;
    }
    return profile;
  }

  /** @param {number} community */
  #total(community) {
    let sums = this.totals[community];
    if (sums === undefined) {
      sums = new Sums(this.items.count);
      this.totals[community] = sums;
    }
    return sums;
  }

  /** How much more a signal of a time weighs than one at the landmark. @param {number} at @param {number} of */
  #factor(at, of) {
    if (at !== this.#at) {
      if ((at - this.landmark) * Math.max(...RATES) > FAR) this.#move(at);
      this.#at = at;
      for (let each = 0; each < CLASSES; each++) this.#factors[each] = Math.exp((at - this.landmark) * RATES[each]);
    }
    return this.#factors[of];
  }

  /** Counts from a later landmark. @param {number} to */
  #move(to) {
    const scales = RATES.map((rate) => Math.exp((this.landmark - to) * rate));
    for (const sums of [...this.profiles.map((profile) => profile?.sums), ...this.totals]) {
      if (sums === undefined) continue;
      for (let place = 0; place < sums.count * STRIDE; place++) sums.slab[place] *= scales[(place % STRIDE) >> 1];
    }
    for (const profile of this.profiles) profile?.rebuild(this.items);
    this.landmark = to;
  }

  /**
   * @param {Profile} profile
   * @param {Sums | undefined} total undefined where the gate is closed
   * @param {number} item
   * @param {number} kind
   * @param {number} at
   */
  #record(profile, total, item, kind, at) {
    const of = CLASS[kind];
    const value = WEIGHTS[kind] * this.#factor(at, of);
    profile.sums.record(item, 2 * of, value);
    profile.seen[item] = 1;
    profile.like(this.items, item, of, value, Math.abs(value));
    total?.record(item, 2 * of, value);
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
    const open = members.open[members.place(user, community)] !== 0;
    this.#record(this.#profile(user), open ? this.#total(community) : undefined, item, kind, at);
    this.log?.push(user, item, kind, community, at);
  }

  /**
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
    const total = members.open[members.place(user, community)] !== 0 ? this.#total(community) : undefined;
    for (let place = 0; place < itemIds.length; place++) {
      const item = items.numbers.find(itemIds[place]);
      this.#record(profile, total, item, kinds[place], at[place]);
      this.log?.push(user, item, kinds[place], community, at[place]);
    }
  }

  /** @param {number} now */
  #scales(now) {
    return RATES.map((rate) => Math.exp((this.landmark - now) * rate));
  }

  /**
   * @param {Profile} profile
   * @param {Sums} total
   * @param {number[]} scales
   */
  #share({ seen }, { items, slab, count }, scales) {
    const { shared } = this;
    shared.fill(0);
    for (let row = 0; row < count; row++) {
      if (seen[items[row]] !== 0) continue;
      let sum = 0;
      let evidence = 0;
      for (let of = 0; of < CLASSES; of++) {
        sum += slab[row * STRIDE + 2 * of] * scales[of];
        evidence += slab[row * STRIDE + 2 * of + 1] * scales[of];
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
    const profile = this.#profile(user);
    const scales = this.#scales(now);
    const total = this.totals[community];
    const open = this.members.open[this.members.place(user, community)] !== 0;
    const shared = total !== undefined && open ? this.#share(profile, total, scales) : undefined;
    return rank(this.items, profile.seen, profile.taste(this.items, scales), shared, now);
  }

  save() {
    const { items, members, profiles, totals, landmark } = this;
    const textual = typeof items.numbers.ids[0] === "string";
    const owners = [...profiles.map((profile) => profile?.sums), ...totals];
    const head = {
      landmark,
      ids: textual ? items.numbers.ids : undefined,
      users: members.users.ids,
      communities: members.communities.ids,
      owners: owners.map((sums) => sums !== undefined),
      profiles: profiles.length,
    };
    const ids = textual ? [] : [Float64Array.from(/** @type {number[]} */ (items.numbers.ids))];
    const columns = owners.flatMap((sums) => sums?.columns() ?? []);
    const seen = profiles.flatMap((profile) => profile?.seen ?? []);
    return pack(head, [...ids, ...items.columns(), members.open, ...columns, ...seen]);
  }

  /** @param {Uint8Array} bytes */
  static load(bytes) {
    const { head, columns } = unpack(bytes);
    const next = () => columns.shift();
    const ids = head.ids ?? next();
    const items = Items.load(ids, columns.splice(0, 6));
    const forward = new Forward(items, new Members(head.users, head.communities, next().slice()));
    forward.landmark = head.landmark;
    const owners = head.owners.map((/** @type {boolean} */ there) =>
      there ? Sums.load(items.count, next(), next()) : undefined,
    );
    forward.totals = owners.slice(head.profiles);
    forward.profiles = owners
      .slice(0, head.profiles)
      .map((/** @type {Sums | undefined} */ sums) => sums && new Profile(items, sums, next().slice()));
    for (const profile of forward.profiles) profile?.rebuild(items);
    return forward;
  }
}

export const forward = fastPeer("forward", "JavaScript, forward decay", Forward);
