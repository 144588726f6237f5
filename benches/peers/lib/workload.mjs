// What everything is measured on, the same for every peer: a catalogue with vectors, and signals that are distributed after
// Zipf, of four kinds, 5 % of them late by up to an hour. Made from a seed, in Node and in browsers alike.

export const DIMENSIONS = 32;
/** Where the clock begins, milliseconds. */
export const START = 1_700_000_000_000;
/** Between two signals, milliseconds: 300 000 of them are four weeks, so that decay decays. */
const STEP = 8_000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const CATEGORIES = 24;
const CREATORS = 5_000;

/** The kinds that are drawn, as the product has them by default; every one of them marks its item as seen. */
export const KINDS = [
  { name: "view", weight: 1, halfLife: 30 * DAY },
  { name: "click", weight: 2, halfLife: 30 * DAY },
  { name: "like", weight: 4, halfLife: 180 * DAY },
  { name: "skip", weight: -1, halfLife: 30 * DAY },
];

/** The weights and priors of the ranking, from docs/architecture.md. */
export const RANKING = {
  item: 1,
  itemPrior: 4,
  category: 0.4,
  creator: 0.4,
  affinityPrior: 8,
  /** How many times what a category gathers by chance is neutral weight. */
  chance: 2,
  vector: 2.5,
  fresh: 0.05,
  freshHalfLife: 30 * DAY,
  community: 1,
  communityPrior: 20,
};

/**
 * @typedef {object} Catalogue in columns, by the item's number
 * @property {number} count
 * @property {Float32Array} vectors `DIMENSIONS` values an item
 * @property {Uint32Array} starts where an item's categories begin in `categories`; one more than there are items
 * @property {Uint8Array} categories
 * @property {Uint32Array} creators
 * @property {Float64Array} createdAt milliseconds
 */

/**
 * @typedef {object} Signals in columns, in the order in which they are made
 * @property {number} count
 * @property {Uint32Array} users from 0
 * @property {Uint32Array} communities from 0
 * @property {Uint32Array} items from 0
 * @property {Uint8Array} kinds places in KINDS
 * @property {Float64Array} at when it happened, milliseconds
 * @property {Float64Array} now the host's clock when it is told of, milliseconds
 */

/**
 * @typedef {object} Workload
 * @property {"integer" | "string"} idType
 * @property {Catalogue} catalogue
 * @property {Signals} signals
 * @property {readonly string[]} categoryNames
 * @property {readonly (number | string)[]} itemIds the id of each item as the app has it; a peer takes these
 * @property {readonly (number | string)[]} userIds
 * @property {readonly (number | string)[]} communityIds
 * @property {readonly number[]} communityOf the community of each user, by number
 */

/**
 * Mulberry32: small, fast, and the same everywhere.
 * @param {number} seed
 * @returns {() => number} from 0 up to 1
 */
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * Draws ranks from 0, of which the n-th is asked for 1/n as often as the first.
 * @param {number} ranks
 * @param {() => number} draw
 */
function zipf(ranks, draw) {
  const sums = new Float64Array(ranks);
  let sum = 0;
  for (let rank = 0; rank < ranks; rank++) {
    sum += 1 / (rank + 1);
    sums[rank] = sum;
  }
  return () => {
    const point = draw() * sum;
    let low = 0;
    let high = ranks - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sums[middle] < point) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

/**
 * @param {number} count
 * @returns {Catalogue}
 */
export function makeCatalogue(count) {
  const draw = random(1);
  const vectors = new Float32Array(count * DIMENSIONS);
  const starts = new Uint32Array(count + 1);
  const categories = new Uint8Array(count * 3);
  const creators = new Uint32Array(count);
  const createdAt = new Float64Array(count);
  let place = 0;
  for (let item = 0; item < count; item++) {
    for (let axis = 0; axis < DIMENSIONS; axis++) vectors[item * DIMENSIONS + axis] = draw() - 0.5;
    // One to three different categories.
    const [first, step, several] = [draw() * CATEGORIES, 1 + draw() * 7, 1 + Math.floor(draw() * 3)];
    starts[item] = place;
    for (let n = 0; n < several; n++) categories[place++] = (Math.floor(first) + n * Math.floor(step)) % CATEGORIES;
    creators[item] = Math.floor(draw() * CREATORS);
    createdAt[item] = START - Math.floor(draw() * 1_000 * DAY);
  }
  starts[count] = place;
  return { count, vectors, starts, categories: categories.slice(0, place), creators, createdAt };
}

/**
 * @param {number} count
 * @param {number} itemCount
 * @param {readonly number[]} communityOf
 * @returns {Signals}
 */
export function makeSignals(count, itemCount, communityOf) {
  const draw = random(2);
  const rank = zipf(itemCount, draw);
  const users = new Uint32Array(count);
  const communities = new Uint32Array(count);
  const items = new Uint32Array(count);
  const kinds = new Uint8Array(count);
  const at = new Float64Array(count);
  const now = new Float64Array(count);
  for (let place = 0; place < count; place++) {
    const clock = START + place * STEP;
    const user = Math.floor(draw() * communityOf.length);
    users[place] = user;
    communities[place] = communityOf[user];
    // Popular items are not neighbours.
    items[place] = (rank() * 7_919) % itemCount;
    kinds[place] = Math.floor(draw() * KINDS.length);
    now[place] = clock;
    at[place] = draw() < 0.05 ? clock - Math.floor(draw() * HOUR) : clock;
  }
  return { count, users, communities, items, kinds, at, now };
}

/**
 * @param {object} sizes
 * @param {number} sizes.items
 * @param {number} sizes.signals
 * @param {number} [sizes.users]
 * @param {number} [sizes.communities]
 * @param {"integer" | "string"} [sizes.idType]
 * @param {Catalogue} [sizes.catalogue] one that was made before
 * @returns {Workload}
 */
export function makeWorkload({ items, signals, users = 1, communities = 1, idType = "integer", catalogue }) {
  const communityOf = Array.from({ length: users }, (_, user) => user % communities);
  const named = (/** @type {string} */ word) => (/** @type {unknown} */ _, /** @type {number} */ place) =>
    idType === "integer" ? place + (word === "film" ? 0 : 1) : `${word}-${place}`;
  return {
    idType,
    catalogue: catalogue ?? makeCatalogue(items),
    signals: makeSignals(signals, items, communityOf),
    categoryNames: Array.from({ length: CATEGORIES }, (_, category) => `genre ${category}`),
    itemIds: Array.from({ length: items }, named("film")),
    userIds: Array.from({ length: users }, named("user")),
    communityIds: Array.from({ length: communities }, named("club")),
    communityOf,
  };
}
