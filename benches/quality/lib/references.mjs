// What Tidegate's ranking is compared with: plain methods that see the same training data, all at once and without forgetting.
import { LIKED, SIGNALS } from "./data.mjs";
import { random } from "./random.mjs";
import { dot, svd } from "./svd.mjs";

/**
 * @typedef {import("./data.mjs").Data} Data
 * @typedef {import("./data.mjs").Person} Person
 * @typedef {(person: Person) => ArrayLike<number>} Method what every item is worth to a person
 */

/** @param {Person} person */
const likes = ({ train }) => train.filter(({ rating }) => rating >= LIKED);

/**
 * How many of these people like each item.
 * @param {Data} data
 * @param {Person[]} people
 */
function popularity(data, people) {
  const count = new Float64Array(data.items);
  for (const person of people) for (const { item } of likes(person)) count[item]++;
  return count;
}

/**
 * @param {Data} data
 * @returns {Method}
 */
export function atRandom(data) {
  const next = random(42);
  return () => Float64Array.from({ length: data.items }, next);
}

/**
 * The cosine of an item's genres and those of what a person likes.
 * @param {Data} data
 * @returns {Method}
 */
export function byGenre({ genres, genreNames }) {
  return (person) => {
    const taste = new Float64Array(genreNames.length);
    for (const { item } of likes(person)) for (const genre of genres[item]) taste[genre] += 1;
    return genres.map((own) => own.reduce((sum, genre) => sum + taste[genre], 0) / Math.sqrt(own.length || 1));
  };
}

/**
 * @param {Data} data
 * @param {Person[]} people
 * @returns {Method}
 */
export function byPopularity(data, people) {
  const count = popularity(data, people);
  return () => count;
}

/**
 * The popularity before the person's next rating.
 * @param {Data} data
 * @param {Person[]} people
 * @returns {Method}
 */
export function byPopularityThen(data, people) {
  const all = people.flatMap(likes);
  return ({ train }) => {
    const now = train.at(-1)?.at ?? 0;
    const count = new Float64Array(data.items);
    for (const { item, at } of all) if (at <= now) count[item]++;
    return count;
  };
}

/**
 * The share of likes within the person's occupation, smoothed by the share among all.
 * @param {Data} data
 * @param {Person[]} people
 * @param {number} weight of the smoothing, in likes
 * @returns {Method}
 */
export function byOccupation(data, people, weight) {
  const all = popularity(data, people);
  const total = all.reduce((sum, value) => sum + value, 0);
  const shares = data.occupationNames.map((_, occupation) => {
    const own = popularity(
      data,
      people.filter(({ user }) => data.occupations[user] === occupation),
    );
    const size = own.reduce((sum, value) => sum + value, 0);
    return own.map((value, item) => (value + (weight * all[item]) / total) / (size + weight));
  });
  return ({ user }) => shares[data.occupations[user]];
}

/**
 * Two methods, each scaled to a largest score of 1.
 * @param {Method} one
 * @param {Method} other
 * @param {number} share of the one
 * @returns {Method}
 */
export function blend(one, other, share) {
  const scaled = (/** @type {ArrayLike<number>} */ scores) => {
    const largest = Array.from(scores).reduce((most, score) => Math.max(most, score), 0) || 1;
    return Float64Array.from(scores, (score) => score / largest);
  };
  return (person) => {
    const [left, right] = [scaled(one(person)), scaled(other(person))];
    return left.map((value, item) => share * value + (1 - share) * right[item]);
  };
}

/**
 * Items that are liked together: the shrunk cosine of their columns (Sarwar et al. 2001).
 * @param {Data} data
 * @param {Person[]} people
 * @param {number} shrink
 * @returns {Method}
 */
export function byNeighbours(data, people, shrink) {
  const count = popularity(data, people);
  const together = Array.from({ length: data.items }, () => new Float64Array(data.items));
  for (const person of people) {
    const own = likes(person);
    for (const { item } of own) for (const other of own) together[item][other.item]++;
  }
  together.forEach((row, item) => {
    row[item] = 0;
    for (let other = 0; other < row.length; other++) row[other] /= Math.sqrt(count[item] * count[other]) + shrink;
  });
  return (person) => {
    const scores = new Float64Array(data.items);
    for (const { item } of likes(person))
      for (let other = 0; other < data.items; other++) scores[other] += together[item][other];
    return scores;
  };
}

/**
 * The cosine of items' columns of signal weights, in a form that needs no table of pairs: from the person's items to whoever
 * else in the group has signalled them, and from there to what those have signalled. What it would take in the core is the
 * contributions that are there already.
 * @param {Data} data
 * @param {Person[]} people
 * @param {(person: Person) => number} groupOf
 * @returns {Method}
 */
export function bySharedPeople(data, people, groupOf) {
  const weight = (/** @type {number} */ rating) => Math.max(SIGNALS[rating].weight, 0);
  /** @type {Map<number, { members: Person[], squares: Float64Array }>} */
  const groups = new Map();
  for (const person of people) {
    const group = groups.get(groupOf(person)) ?? { members: [], squares: new Float64Array(data.items) };
    groups.set(groupOf(person), group);
    group.members.push(person);
    for (const { item, rating } of person.train) group.squares[item] += weight(rating) ** 2;
  }
  return (person) => {
    const { members = [], squares = new Float64Array(data.items) } = groups.get(groupOf(person)) ?? {};
    const inverse = squares.map((square) => (square > 0 ? 1 / Math.sqrt(square) : 0));
    const own = new Float64Array(data.items);
    for (const { item, rating } of person.train) own[item] = weight(rating) * inverse[item];
    const scores = new Float64Array(data.items);
    for (const member of members) {
      if (member === person) continue;
      const alike = member.train.reduce((sum, { item, rating }) => sum + weight(rating) * own[item], 0);
      for (const { item, rating } of member.train) scores[item] += alike * weight(rating) * inverse[item];
    }
    return scores;
  };
}

/** What a rating counts where it is liked or not. @param {number} rating */
const liking = (rating) => (rating >= LIKED ? 1 : 0);

/**
 * The leading right singular vectors of the matrix of what ratings count; by item.
 * @param {Data} data
 * @param {Person[]} people
 * @param {number} rank
 * @param {(rating: number) => number} value
 */
export function factors(data, people, rank, value = liking) {
  const row = (/** @type {Person} */ { train }) =>
    train.map(({ item, rating }) => ({ column: item, value: value(rating) }));
  const rows = people.map(row);
  const { vectors, values } = svd({ rows, columns: data.items }, rank);
  return {
    byItem: Array.from({ length: data.items }, (_, item) => Float64Array.from(vectors, (axis) => axis[item])),
    values,
  };
}

/**
 * A person's likes projected onto the leading singular vectors (PureSVD, Cremonesi, Koren and Turrin 2010).
 * @param {Float64Array[]} byItem
 * @param {(rating: import("./data.mjs").Rating, now: number) => number} weight
 * @returns {Method}
 */
export function byFactors(byItem, weight = () => 1) {
  return (person) => {
    const now = person.train.at(-1)?.at ?? 0;
    const taste = new Float64Array(byItem[0]?.length ?? 0);
    for (const like of likes(person)) {
      const factor = weight(like, now);
      for (let axis = 0; axis < taste.length; axis++) taste[axis] += factor * byItem[like.item][axis];
    }
    return byItem.map((vector) => dot(taste, vector));
  };
}
