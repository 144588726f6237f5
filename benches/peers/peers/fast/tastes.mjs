// From a user's sums by item to what the user likes: all of it in the order of memory.
import { DIMENSIONS } from "../../lib/workload.mjs";
import { noTaste } from "./rank.mjs";

export class Tastes {
  /** @param {import("./items.mjs").Items} items */
  constructor(items) {
    this.items = items;
    this.taste = noTaste(items);
    /** The signed sum of each item; whoever blends sets it. */
    this.weights = new Float64Array(items.count);
    /** The absolute sum of each item, 0 again after a blend. */
    this.sizes = new Float64Array(items.count);
    this.signalled = new Int32Array(items.count + 3);
  }

  /** The taste behind the sums that were set. */
  blend() {
    const { taste, weights, sizes, signalled } = this;
    const { starts, categories, creators, count } = this.items;
    const { categorySums, categoryEvidence, creatorSums, creatorEvidence } = taste;
    for (const sums of [categorySums, categoryEvidence, creatorSums, creatorEvidence]) sums.fill(0);
    let total = 0;
    let found = 0;
    for (let item = 0; item < count; item++) {
      const evidence = sizes[item];
      if (evidence === 0) continue;
      const sum = weights[item];
      signalled[found++] = item;
      total += evidence;
      const end = starts[item + 1];
      for (let place = starts[item]; place < end; place++) {
        const category = categories[place];
        categorySums[category] += sum;
        categoryEvidence[category] += evidence;
      }
      const creator = creators[item];
      creatorSums[creator] += sum;
      creatorEvidence[creator] += evidence;
      sizes[item] = 0;
    }
    taste.evidence = total;
    this.#prefer(found);
    return taste;
  }

  /**
   * The blend of the vectors of so many items; four at a time, so that the sum is read and written a quarter as often.
   * @param {number} found
   */
  #prefer(found) {
    const { weights, signalled } = this;
    const { vectors } = this.items;
    const { preference } = this.taste;
    preference.fill(0);
    // What is missing from the last four weighs nothing.
    signalled.fill(0, found, found + 3);
    for (let place = 0; place < found; place += 4) {
      const [i, j, k, l] = [signalled[place], signalled[place + 1], signalled[place + 2], signalled[place + 3]];
      const a = weights[i];
      const b = place + 1 < found ? weights[j] : 0;
      const c = place + 2 < found ? weights[k] : 0;
      const d = place + 3 < found ? weights[l] : 0;
      const [p, q, r, s] = [i * DIMENSIONS, j * DIMENSIONS, k * DIMENSIONS, l * DIMENSIONS];
      for (let axis = 0; axis < DIMENSIONS; axis++) {
        preference[axis] +=
          a * vectors[p + axis] + b * vectors[q + axis] + (c * vectors[r + axis] + d * vectors[s + axis]);
      }
    }
  }
}
