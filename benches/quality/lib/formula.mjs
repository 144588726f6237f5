// Tidegate's ranking once more, in plain JavaScript with its constants as parameters: what they are tuned with. With the
// constants that the product has, `--tune` first shows that both rank alike.
import { SIGNALS } from "./data.mjs";
import { best, mean, ndcg } from "./metrics.mjs";

/** @typedef {import("./data.mjs").Person} Person */

/**
 * @typedef {object} Constants
 * @property {number} shortHalfLife days, of `skip`, `view` and `click`
 * @property {number} longHalfLife days, of `like`
 * @property {number} category weight
 * @property {number} chance
 * @property {number} categoryPower how an item's number of categories divides their sum: 1 is the mean
 * @property {number} vector weight
 * @property {number} affinityPrior
 * @property {number} community weight
 * @property {number} cohort weight
 * @property {number} groupPrior
 */

/** What the product has. @type {Constants} */
export const SHIPPED = {
  shortHalfLife: 30,
  longHalfLife: 180,
  category: 0.4,
  chance: 2,
  categoryPower: 0.5,
  vector: 2.5,
  affinityPrior: 8,
  community: 1,
  cohort: 0.5,
  groupPrior: 20,
};

const DAY = 86_400_000;
const LIKE = SIGNALS.findIndex(({ kind }) => kind === "like");

/** A signed sum and a sum of sizes for each of so many things. @param {number} count */
const sums = (count) => ({ sum: new Float64Array(count), size: new Float64Array(count) });

/** Everything about one question that does not depend on weights. */
export class Formula {
  #totals = { key: "", community: [sums(0)], cohort: [sums(0)] };

  /**
   * @param {import("./data.mjs").Data} data
   * @param {{ people: Person[], asked: Person[] }} parts
   * @param {Float64Array[]} vectors
   * @param {boolean} live as in `replay`
   */
  constructor(data, { people, asked }, vectors, live) {
    this.data = data;
    this.asked = asked;
    // The product has them as 32-bit floats.
    this.vectors = vectors.map((vector) => Float32Array.from(vector));
    this.norms = this.vectors.map((vector) => Math.hypot(...vector));
    this.events = people.flatMap(({ train }) => train).sort((a, b) => a.at - b.at || a.user - b.user);
    this.start = this.events[0].at;
    const end = this.events[this.events.length - 1].at;
    this.times = asked.map(({ train }) => (live ? (train.at(-1)?.at ?? 0) : end));
    this.commonness = data.genreNames.map(
      (_, genre) => data.genres.filter((own) => own.includes(genre)).length / data.items,
    );
  }

  /** @param {import("./data.mjs").Rating} event @param {number} now @param {Constants} constants */
  #value({ rating, at }, now, { shortHalfLife, longHalfLife }) {
    return SIGNALS[rating].weight * 2 ** ((at - now) / (DAY * (rating >= LIKE ? longHalfLife : shortHalfLife)));
  }

  /** What communities and the cohort have on each item when each person asks. @param {Constants} constants */
  #groups(constants) {
    const key = `${constants.shortHalfLife} ${constants.longHalfLife}`;
    if (this.#totals.key === key) return this.#totals;
    const { items, occupations, occupationNames } = this.data;
    // By group and class of half-life, as of the start: forward decay.
    const groups = Array.from({ length: occupationNames.length + 1 }, () => [sums(items), sums(items)]);
    const community = this.asked.map(() => sums(items));
    const cohort = this.asked.map(() => sums(items));
    const read = (
      /** @type {number} */ group,
      /** @type {number} */ now,
      /** @type {ReturnType<typeof sums>} */ into,
    ) => {
      [constants.shortHalfLife, constants.longHalfLife].forEach((halfLife, of) => {
        const factor = 2 ** ((this.start - now) / (DAY * halfLife));
        for (let item = 0; item < items; item++) {
          into.sum[item] += groups[group][of].sum[item] * factor;
          into.size[item] += groups[group][of].size[item] * factor;
        }
      });
    };
    const order = Array.from(this.asked.keys()).sort((a, b) => this.times[a] - this.times[b]);
    let next = 0;
    for (const time of order.map((place) => this.times[place]).concat(Infinity)) {
      for (; next < this.events.length && this.events[next].at <= time; next++) {
        const event = this.events[next];
        const value = this.#value(event, this.start, constants);
        for (const group of [occupations[event.user], occupationNames.length]) {
          const own = groups[group][event.rating >= LIKE ? 1 : 0];
          own.sum[event.item] += value;
          own.size[event.item] += Math.abs(value);
        }
      }
      while (order.length > 0 && this.times[order[0]] === time) {
        const place = order.shift() ?? 0;
        read(occupations[this.asked[place].user], time, community[place]);
        read(occupationNames.length, time, cohort[place]);
      }
    }
    this.#totals = { key, community, cohort };
    return this.#totals;
  }

  /** What a person's own signals say of each item. @param {number} place @param {Constants} constants @param {boolean} withVectors */
  #local(place, constants, withVectors) {
    const { genres, genreNames, items } = this.data;
    const { affinityPrior, chance, category, categoryPower, vector } = constants;
    const tastes = sums(genreNames.length);
    const preference = new Float64Array(this.vectors[0].length);
    let evidence = 0;
    for (const event of this.asked[place].train) {
      const value = this.#value(event, this.times[place], constants);
      evidence += Math.abs(value);
      for (const genre of genres[event.item]) {
        tastes.sum[genre] += value;
        tastes.size[genre] += Math.abs(value);
      }
      const own = this.vectors[event.item];
      for (let axis = 0; axis < preference.length; axis++) preference[axis] += value * own[axis];
    }
    const taste = genreNames.map(
      (_, genre) =>
        tastes.sum[genre] / (tastes.size[genre] + affinityPrior + chance * this.commonness[genre] * evidence),
    );
    const scale = (vector * evidence) / (evidence + affinityPrior) / Math.hypot(...preference);
    return Float64Array.from({ length: items }, (_, item) => {
      const liked = genres[item].reduce((sum, genre) => sum + taste[genre], 0);
      let score = (category * liked) / (genres[item].length || 1) ** categoryPower;
      if (withVectors && this.norms[item] > 0) {
        const own = this.vectors[item];
        let dot = 0;
        for (let axis = 0; axis < preference.length; axis++) dot += preference[axis] * own[axis];
        score += (scale * dot) / this.norms[item];
      }
      return score;
    });
  }

  /**
   * The mean nDCG with these constants.
   * @param {Constants} constants
   * @param {boolean} withVectors
   * @param {boolean} withCohort
   */
  quality(constants, withVectors, withCohort) {
    const groups = this.#groups(constants);
    const { groupPrior } = constants;
    const gains = this.asked.map((person, place) => {
      const scores = this.#local(place, constants, withVectors);
      const [own, all] = [groups.community[place], groups.cohort[place]];
      for (let item = 0; item < scores.length; item++) {
        scores[item] += (constants.community * own.sum[item]) / (own.size[item] + groupPrior);
        if (withCohort) scores[item] += (constants.cohort * all.sum[item]) / (all.size[item] + groupPrior);
      }
      return ndcg(best(scores, person.seen), person.liked);
    });
    return mean(gains);
  }
}
