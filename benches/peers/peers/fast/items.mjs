// The catalogue of the tuned peers: dense numbers instead of ids, and whatever a query would compute again kept ready.
import { DIMENSIONS, RANKING, START } from "../../lib/workload.mjs";

/** ln 2 over the half-life: e^x is the faster way to 2^x here. */
const FRESH_RATE = Math.LN2 / RANKING.freshHalfLife;

/** @typedef {number | string} Id */

/** Numbers for ids, from 0. */
export class Numbers {
  /** @type {Map<Id, number>} */
  #numbers = new Map();
  /** @type {Id[]} */
  ids = [];
  // Signals come in runs of one user, in one community.
  /** @type {Id | undefined} */
  #lastId;
  #lastNumber = -1;

  /** @param {Iterable<Id>} ids */
  constructor(ids) {
    for (const id of ids) {
      this.#numbers.set(id, this.ids.length);
      this.ids.push(id);
    }
  }

  /** @param {Id} id */
  find(id) {
    return this.#numbers.get(id) ?? -1;
  }

  /** As `find`, for ids that come in runs. @param {Id} id */
  findAgain(id) {
    if (id !== this.#lastId) {
      this.#lastNumber = this.find(id);
      this.#lastId = id;
    }
    return this.#lastNumber;
  }
}

export class Items {
  /**
   * @param {Iterable<Id>} ids
   * @param {object} columns
   * @param {Float32Array} columns.vectors
   * @param {Uint32Array} columns.starts
   * @param {Uint8Array} columns.categories
   * @param {Uint32Array} columns.creators
   * @param {Float64Array} columns.inverseNorms
   * @param {Float64Array} columns.freshness what is left of an item's freshness at START
   */
  constructor(ids, { vectors, starts, categories, creators, inverseNorms, freshness }) {
    this.numbers = new Numbers(ids);
    this.count = this.numbers.ids.length;
    this.vectors = vectors;
    this.starts = starts;
    this.categories = categories;
    this.creators = creators;
    this.inverseNorms = inverseNorms;
    this.freshness = freshness;
    this.categoryCount = categories.reduce((most, category) => Math.max(most, category + 1), 0);
    this.creatorCount = creators.reduce((most, creator) => Math.max(most, creator + 1), 0);
    /** Which share of the items has each category; every item has one. */
    this.commonness = new Float64Array(this.categoryCount);
    for (const category of categories) this.commonness[category] += 1 / this.count;
  }

  /**
   * @param {import("../../lib/workload.mjs").Catalogue} catalogue
   * @param {Iterable<Id>} ids
   */
  static from({ count, vectors, starts, categories, creators, createdAt }, ids) {
    const inverseNorms = new Float64Array(count);
    const freshness = new Float64Array(count);
    for (let item = 0; item < count; item++) {
      let square = 0;
      for (let axis = 0; axis < DIMENSIONS; axis++) square += vectors[item * DIMENSIONS + axis] ** 2;
      inverseNorms[item] = 1 / Math.sqrt(square);
      freshness[item] = RANKING.fresh * Math.exp((createdAt[item] - START) * FRESH_RATE);
    }
    // A copy: what an app keeps is its own.
    const columns = { vectors: vectors.slice(), starts, categories, creators, inverseNorms, freshness };
    return new Items(ids, columns);
  }

  /** What freshness is scaled by at a time. @param {number} now */
  static freshScale(now) {
    return Math.exp((START - now) * FRESH_RATE);
  }

  columns() {
    return [this.vectors, this.starts, this.categories, this.creators, this.inverseNorms, this.freshness];
  }

  /** @param {Iterable<Id>} ids @param {any[]} columns */
  static load(ids, [vectors, starts, categories, creators, inverseNorms, freshness]) {
    return new Items(ids, { vectors, starts, categories, creators, inverseNorms, freshness });
  }
}
