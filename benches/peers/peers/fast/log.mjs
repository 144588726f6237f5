// What is new since the last flush, in columns that are written as they are.
import { pack } from "./bytes.mjs";

export class Log {
  #count = 0;
  #ints = new Uint32Array(4 * 1024);
  #times = new Float64Array(1024);

  /**
   * @param {number} user
   * @param {number} item
   * @param {number} kind
   * @param {number} community
   * @param {number} at
   */
  push(user, item, kind, community, at) {
    const place = this.#count++;
    if (place === this.#times.length) {
      const [ints, times] = [this.#ints, this.#times];
      this.#ints = new Uint32Array(ints.length * 2);
      this.#ints.set(ints);
      this.#times = new Float64Array(times.length * 2);
      this.#times.set(times);
    }
    this.#ints[4 * place] = user;
    this.#ints[4 * place + 1] = item;
    this.#ints[4 * place + 2] = kind;
    this.#ints[4 * place + 3] = community;
    this.#times[place] = at;
  }

  flush() {
    const bytes = pack({}, [this.#ints.subarray(0, 4 * this.#count), this.#times.subarray(0, this.#count)]);
    this.#count = 0;
    return bytes;
  }
}
