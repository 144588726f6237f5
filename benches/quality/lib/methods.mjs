// Everything that is measured: what it is called, how it ranks, and what is asked of it.
import { SIGNALS } from "./data.mjs";
import { best } from "./metrics.mjs";
import * as plain from "./references.mjs";
import { replay } from "./replay.mjs";

/** Dimensions of the vectors that Tidegate is given. */
const RANK = 32;
/** Vectors are the singular vectors times this power of the singular values; chosen on the validation split. */
const STRETCH = 0.8;
const DAY = 86_400_000;

/**
 * @typedef {object} Measured
 * @property {string} title
 * @property {number} [bar] the least nDCG@10 that is asked of it
 * @property {() => number[][] | Promise<number[][]>} rankings the first places for each of those asked
 */

/**
 * @param {import("./data.mjs").Data} data
 * @param {{ people: import("./data.mjs").Person[], asked: import("./data.mjs").Person[] }} parts
 * @returns {{ references: Measured[], product: Measured[], vectors: Float64Array[] }}
 */
export function methods(data, { people, asked }) {
  const factors = plain.factors(data, people, RANK);
  const { byItem, values } = plain.factors(data, people, RANK, (rating) => SIGNALS[rating].weight);
  const vectors = byItem.map((vector) => vector.map((value, axis) => value * values[axis] ** STRETCH));

  /** @type {(title: string, method: import("./references.mjs").Method) => Measured} */
  const reference = (title, method) => ({
    title,
    rankings: () => asked.map((person) => best(method(person), person.seen)),
  });
  /** @type {(title: string, setting: import("./replay.mjs").Setting, bar?: number) => Measured} */
  const tidegate = (title, setting, bar) => ({ title, bar, rankings: () => replay(data, people, asked, setting) });

  const occupation = plain.byOccupation(data, people, 1_000);
  const forgetting = plain.byFactors(factors.byItem, ({ at }, now) => 2 ** ((at - now) / (90 * DAY)));
  const known = { categories: true, community: true };
  return {
    vectors,
    references: [
      reference("random", plain.atRandom(data)),
      reference("genres alone", plain.byGenre(data)),
      reference("popularity known at the time", plain.byPopularityThen(data, people)),
      reference("popularity", plain.byPopularity(data, people)),
      reference("popularity within the occupation, smoothed", occupation),
      reference(".3 genres + .7 occupation", plain.blend(plain.byGenre(data), occupation, 0.3)),
      reference("items liked together (shrink 10)", plain.byNeighbours(data, people, 10)),
      reference(
        "estimate: what items have in common within the occupation",
        plain.bySharedPeople(data, people, ({ user }) => data.occupations[user]),
      ),
      reference(
        "estimate: what items have in common among everybody",
        plain.bySharedPeople(data, people, () => 0),
      ),
      reference("SVD-32", plain.byFactors(factors.byItem)),
      reference(
        ".9 SVD-32, forgetting in 90 days + .1 popularity",
        plain.blend(forgetting, plain.byPopularity(data, people), 0.9),
      ),
    ],
    product: [
      tidegate("categories", { categories: true }),
      tidegate("community", { community: true }),
      tidegate("community, categories", known, 0.104),
      tidegate("community, categories, cohort", { ...known, cohort: true }),
      tidegate("community, categories, cohort; asked at the time", { ...known, cohort: true, live: true }),
      tidegate("vectors", { vectors }),
      tidegate("vectors, community, categories", { ...known, vectors }, 0.165),
      tidegate("vectors, community, categories, cohort", { ...known, vectors, cohort: true }),
      tidegate("vectors, community, categories, cohort; asked at the time", {
        ...known,
        vectors,
        cohort: true,
        live: true,
      }),
    ],
  };
}
