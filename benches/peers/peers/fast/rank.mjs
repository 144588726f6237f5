// One pass over the items in memory order, and a short sorted list of the best so far.
import { DIMENSIONS, RANKING } from "../../lib/workload.mjs";
import { Items } from "./items.mjs";

const LIMIT = 20;

/**
 * What a user likes, as of one time; the arrays are reused.
 * @typedef {object} Taste
 * @property {number} evidence
 * @property {Float64Array} categorySums
 * @property {Float64Array} categoryEvidence
 * @property {Float64Array} creatorSums
 * @property {Float64Array} creatorEvidence
 * @property {Float64Array} preference
 */

/**
 * @param {Items} items
 * @returns {Taste}
 */
export const noTaste = ({ categoryCount, creatorCount }) => ({
  evidence: 0,
  categorySums: new Float64Array(categoryCount),
  categoryEvidence: new Float64Array(categoryCount),
  creatorSums: new Float64Array(creatorCount),
  creatorEvidence: new Float64Array(creatorCount),
  preference: new Float64Array(DIMENSIONS),
});

/**
 * @param {Float64Array} sums
 * @param {Float64Array} evidence
 * @param {number} weight
 */
function shrunk(sums, evidence, weight) {
  const parts = new Float64Array(sums.length);
  for (let n = 0; n < parts.length; n++) parts[n] = (weight * sums[n]) / (evidence[n] + RANKING.affinityPrior);
  return parts;
}

/** As `shrunk`, with what a category gathers by chance. @param {Items} items @param {Taste} taste */
function shrunkCategories({ commonness }, { categorySums, categoryEvidence, evidence }) {
  const byChance = RANKING.chance * evidence;
  const neutral = categoryEvidence.map((own, category) => own + byChance * commonness[category]);
  return shrunk(categorySums, neutral, RANKING.category);
}

/** 1 over the root of the number of categories. */
const SHARES = Float64Array.from({ length: 256 }, (_, count) => 1 / Math.sqrt(count || 1));

/**
 * The preference at a length at which its dot product with a vector of length 1 is the vector part.
 * @param {Taste} taste
 */
function direction({ preference, evidence }) {
  let square = 0;
  for (let axis = 0; axis < DIMENSIONS; axis++) square += preference[axis] ** 2;
  const trust = evidence / (evidence + RANKING.affinityPrior);
  const scale = square > 0 ? (RANKING.vector * trust) / Math.sqrt(square) : 0;
  return preference.map((value) => value * scale);
}

/**
 * The best unseen items. Every kind marks its item as seen, so that none of these has a part of its own signals.
 * @param {Items} items
 * @param {Uint8Array} seen
 * @param {Taste} taste
 * @param {Float64Array | undefined} shared the community's part of each item
 * @param {number} now
 */
export function rank(items, seen, taste, shared, now) {
  const { count, vectors, starts, categories, creators, inverseNorms, freshness } = items;
  const categoryParts = shrunkCategories(items, taste);
  const creatorParts = shrunk(taste.creatorSums, taste.creatorEvidence, RANKING.creator);
  const toward = direction(taste);
  const freshScale = Items.freshScale(now);
  const scores = new Float64Array(LIMIT);
  const places = new Int32Array(LIMIT);
  let found = 0;
  let least = -Infinity;
  for (let item = 0; item < count; item++) {
    if (seen[item] !== 0) continue;
    const begin = starts[item];
    const end = starts[item + 1];
    let score = 0;
    for (let place = begin; place < end; place++) score += categoryParts[categories[place]];
    score *= SHARES[end - begin];
    score += creatorParts[creators[item]];
    let [a, b, c, d] = [0, 0, 0, 0];
    const base = item * DIMENSIONS;
    for (let axis = 0; axis < DIMENSIONS; axis += 4) {
      a += toward[axis] * vectors[base + axis];
      b += toward[axis + 1] * vectors[base + axis + 1];
      c += toward[axis + 2] * vectors[base + axis + 2];
      d += toward[axis + 3] * vectors[base + axis + 3];
    }
    score += (a + b + (c + d)) * inverseNorms[item];
    score += Math.min(freshness[item] * freshScale, RANKING.fresh);
    if (shared !== undefined) score += shared[item];
    // Of equal scores the earlier item stays ahead.
    if (score > least || found < LIMIT) {
      let place = found < LIMIT ? found++ : LIMIT - 1;
      for (; place > 0 && scores[place - 1] < score; place--) {
        scores[place] = scores[place - 1];
        places[place] = places[place - 1];
      }
      scores[place] = score;
      places[place] = item;
      if (found === LIMIT) least = scores[LIMIT - 1];
    }
  }
  return Array.from(places.subarray(0, found), (item, place) => ({
    id: items.numbers.ids[item],
    score: scores[place],
    community: shared?.[item] ?? 0,
  }));
}
