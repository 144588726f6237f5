// How good a ranking is: nDCG and recall at 10, and how sure a mean over users is.
import { random } from "./random.mjs";

/** So many places of a ranking count. */
export const PLACES = 10;

/**
 * Normalised discounted cumulative gain with gains of 0 and 1 (Järvelin and Kekäläinen 2002): 1 where the first places are all
 * relevant, or all that is relevant stands first.
 * @param {readonly number[]} ranking best first, each at most once
 * @param {ReadonlySet<number>} relevant not empty
 */
export function ndcg(ranking, relevant, places = PLACES) {
  let gained = 0;
  let ideal = 0;
  for (let place = 0; place < places; place++) {
    const gain = 1 / Math.log2(place + 2);
    const item = ranking[place];
    if (item !== undefined && relevant.has(item)) gained += gain;
    if (place < relevant.size) ideal += gain;
  }
  return gained / ideal;
}

/**
 * Which part of what is relevant stands on the first places.
 * @param {readonly number[]} ranking best first, each at most once
 * @param {ReadonlySet<number>} relevant not empty
 */
export function recall(ranking, relevant, places = PLACES) {
  return ranking.slice(0, places).filter((item) => relevant.has(item)).length / relevant.size;
}

/** @param {ArrayLike<number>} values */
export function mean(values) {
  let sum = 0;
  for (let index = 0; index < values.length; index++) sum += values[index] ?? 0;
  return sum / values.length;
}

/**
 * In which range 95 % of the means lie of as many users drawn again and again from these (percentile bootstrap).
 * @param {ArrayLike<number>} values one a user
 * @returns {[number, number]}
 */
export function interval(values, draws = 2_000, seed = 1) {
  const next = random(seed);
  const count = values.length;
  const means = new Float64Array(draws);
  for (let draw = 0; draw < draws; draw++) {
    let sum = 0;
    for (let drawn = 0; drawn < count; drawn++) sum += values[Math.floor(next() * count)] ?? 0;
    means[draw] = sum / count;
  }
  means.sort();
  const at = (/** @type {number} */ share) => means[Math.round(share * (draws - 1))] ?? Number.NaN;
  return [at(0.025), at(0.975)];
}

/**
 * The best items that are not left out; equal scores by ascending number, as the engine has them.
 * @param {ArrayLike<number>} scores by item
 * @param {ReadonlySet<number>} without
 */
export function best(scores, without, places = PLACES) {
  /** @type {number[]} */
  const chosen = [];
  const of = (/** @type {number} */ item) => scores[item] ?? 0;
  for (let item = 0; item < scores.length; item++) {
    if (without.has(item)) continue;
    let place = chosen.length;
    while (place > 0 && of(chosen[place - 1] ?? 0) < of(item)) place--;
    if (place === places) continue;
    chosen.splice(place, 0, item);
    if (chosen.length > places) chosen.pop();
  }
  return chosen;
}
