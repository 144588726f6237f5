// Takes the steps with one peer: makes what is needed, and times nothing but the step itself. Runs in a process or a page of
// its own, which is told what to do.
import { BATCH, EVENTS } from "./steps.mjs";
import { makeWorkload } from "./workload.mjs";

/** @typedef {import("./peer.mjs").Peer} Peer */
/** @typedef {import("./steps.mjs").Step} Step */
/** @typedef {import("./workload.mjs").Workload} Workload */

/**
 * @typedef {object} Sizes
 * @property {number} items
 * @property {number} signals
 * @property {number} queries how many a step times; a slow peer times fewer
 * @property {number} repeats of a snapshot or an opening
 * @property {boolean} [cold] nothing is warmed up: for a look whether all of it works
 * @property {boolean} [cpu] the processor's time counts instead of the clock's
 * @property {boolean} [brief] slow peers take the main steps alone
 */

/**
 * @typedef {object} Answer
 * @property {string} [skipped] why the peer leaves the step out
 * @property {Record<string, number>} [values] times in nanoseconds, sizes in bytes
 * @property {readonly import("./peer.mjs").Ranked[]} [top] the best 20, which must be those of every other peer
 */

/** More signals than are taken in first: new ones for queries and flushes. */
export const SPARE = 6_000;
const WARM = { items: 2_000, signals: 20_000, queries: 40, repeats: 3 };
/** What a slow peer is measured at in a brief run, and in any other; a tiny one takes all steps, for the answers. */
const BRIEF = ["open", "query", "snapshot", "restore", "open-batch"];
const MAIN = [...BRIEF, "gated", "flush", "crowd", "crowd-query"];

/** So many queries are taken before the clock starts. */
const SETTLING = 5;

/** How many there are of whom. @param {"solo" | "crowd"} data */
export const people = (data) => (data === "crowd" ? { users: 200, communities: 20 } : { users: 1, communities: 1 });

/** What is rubbish is cleared away before a clock starts, where a process may ask for that. */
const collect = () => /** @type {{ gc?: () => void }} */ (globalThis).gc?.();

/** @param {number[]} samples @param {number} share */
export function quantile(samples, share) {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.round((sorted.length - 1) * share)];
}

export class Actor {
  /** @type {Map<string, Workload>} */
  #workloads = new Map();
  /** @type {Peer | undefined} */
  #peer;
  /** @type {Workload | undefined} */
  #workload;
  /** The signals that were taken in. */
  #taken = 0;
  /** How long a snapshot was before the first signal. */
  #bare = 0;

  /**
   * @param {import("./peer.mjs").PeerClass} peerClass
   * @param {Sizes} sizes
   * @param {() => number} now milliseconds
   */
  constructor(peerClass, sizes, now = () => performance.now()) {
    this.peerClass = peerClass;
    this.sizes = sizes;
    this.now = now;
  }

  /** Takes every step on a small scale, so that no compiler is at work when it counts. @param {readonly Step[]} steps */
  async warm(steps) {
    if (this.sizes.cold) return;
    const { pace = 1 } = this.peerClass;
    const signals = Math.max(4_000, WARM.signals * pace);
    const small = new Actor(this.peerClass, { ...WARM, signals, brief: this.sizes.brief });
    for (const step of steps) await small.take(step);
    await small.end();
  }

  /**
   * @param {Step} step
   * @returns {Promise<Answer>}
   */
  async take(step) {
    const skipped = this.peerClass.leavesOut?.[step.key] ?? this.#missing(step);
    if (skipped !== undefined) return { skipped };
    switch (step.act) {
      case "ingest":
        return await this.#ingest(step);
      case "query":
        return this.#query();
      case "flush":
        return await this.#flush(step);
      case "snapshot":
        return await this.#snapshot();
      case "open":
        return await this.#open();
    }
  }

  async end() {
    await this.#peer?.close();
    this.#peer = undefined;
  }

  /** @param {Step} step */
  #missing({ key, batch }) {
    const { brief, cold } = this.sizes;
    if (this.peerClass.slow && !cold && !(brief ? BRIEF : MAIN).includes(key)) return "it would take too long";
    return batch && !this.peerClass.batches ? "it has no batches" : undefined;
  }

  /** @param {Step} step */
  #data({ data = "solo", idType = "integer" }) {
    const key = `${data} ${idType}`;
    let workload = this.#workloads.get(key);
    if (workload === undefined) {
      const { items, signals } = this.sizes;
      const catalogue = [...this.#workloads.values()][0]?.catalogue;
      workload = makeWorkload({ items, signals: signals + SPARE, ...people(data), idType, catalogue });
      this.#workloads.set(key, workload);
    }
    return workload;
  }

  /** @param {number} [now] */
  #top(now) {
    const { signals } = /** @type {Workload} */ (this.#workload);
    return /** @type {Peer} */ (this.#peer).query(now ?? signals.now[this.#taken - 1]);
  }

  /**
   * @param {Step} step
   * @returns {Promise<Answer>}
   */
  async #ingest(step) {
    await this.end();
    const workload = this.#data(step);
    const peer = await this.peerClass.create(workload, { log: false });
    this.#peer = peer;
    this.#workload = workload;
    if (step.left) peer.leave();
    if (step.key === "open") this.#bare = peer.snapshot().length;
    const { signals: count } = this.sizes;
    collect();
    const began = this.now();
    if (step.batch) peer.ingestBatch?.(workload.signals, 0, count, BATCH);
    else peer.ingest(workload.signals, 0, count);
    const took = this.now() - began;
    this.#taken = count;
    return { values: { time: (took * 1e6) / count }, top: this.#top() };
  }

  /**
   * The signal is part of the time: a peer may do its work when it is told, or when it is asked.
   * @returns {Answer}
   */
  #query() {
    const peer = /** @type {Peer} */ (this.#peer);
    const { signals } = /** @type {Workload} */ (this.#workload);
    const count = Math.max(3, Math.round(this.sizes.queries * (this.peerClass.pace ?? 1)));
    const samples = [];
    collect();
    const first = this.#settle(peer, signals.now[this.#taken - 1]);
    for (let n = 0; n < count; n++) {
      const place = this.#taken++;
      const began = this.now();
      peer.ingest(signals, place, place + 1);
      peer.query(signals.now[place]);
      samples.push((this.now() - began) * 1e6);
    }
    // All peers have the same signals before they are compared again, however many queries each was timed for.
    const all = this.sizes.signals + this.sizes.queries;
    peer.ingest(signals, this.#taken, all);
    this.#taken = all;
    return { values: { time: quantile(samples, 0.5), p99: quantile(samples, 0.99), first }, top: this.#top() };
  }

  /**
   * Queries until what they read is back in the processor's caches: the other peers' turns have driven it out.
   * @param {Peer} peer
   * @param {number} now
   * @returns how long the first one took, in nanoseconds
   */
  #settle(peer, now) {
    const began = this.now();
    peer.query(now);
    const first = (this.now() - began) * 1e6;
    for (let n = 1; n < SETTLING; n++) peer.query(now);
    return first;
  }

  /**
   * @param {Step} step
   * @returns {Promise<Answer>}
   */
  async #flush(step) {
    const { signals } = this.#data(step);
    const peer = await this.peerClass.create(this.#data(step), { log: true });
    const samples = [];
    let bytes = 0;
    // The first one is a long one, and counts as warming up.
    let [from, to] = [0, Math.min(20_000, this.sizes.signals)];
    for (let n = 0; n <= this.sizes.repeats; n++) {
      peer.ingest(signals, from, to);
      [from, to] = [to, to + EVENTS];
      collect();
      const began = this.now();
      bytes = (await peer.flush?.()) ?? 0;
      if (n > 0) samples.push((this.now() - began) * 1e6);
    }
    await peer.close();
    return { values: { time: quantile(samples, 0.5), bytes } };
  }

  /** @returns {Promise<Answer>} */
  async #snapshot() {
    const peer = /** @type {Peer} */ (this.#peer);
    const samples = [];
    let size = 0;
    for (let n = 0; n < this.sizes.repeats; n++) {
      collect();
      const began = this.now();
      const saved = peer.snapshot();
      samples.push((this.now() - began) * 1e6);
      size = saved.length;
    }
    const each = (size - this.#bare) / this.#accumulators();
    return { values: { time: quantile(samples, 0.5), bytes: size, each } };
  }

  /** One for each item and kind in the profile, and one in the community. */
  #accumulators() {
    const { items, kinds } = /** @type {Workload} */ (this.#workload).signals;
    const pairs = new Set();
    for (let place = 0; place < this.#taken; place++) pairs.add(items[place] * 256 + kinds[place]);
    return 2 * pairs.size;
  }

  /** @returns {Promise<Answer>} */
  async #open() {
    const workload = /** @type {Workload} */ (this.#workload);
    const saved = /** @type {Peer} */ (this.#peer).snapshot();
    const now = workload.signals.now[this.#taken - 1];
    const samples = [];
    /** @type {readonly import("./peer.mjs").Ranked[]} */
    let top = [];
    for (let n = 0; n < this.sizes.repeats; n++) {
      collect();
      const began = this.now();
      const peer = await this.peerClass.restore(workload, saved);
      top = peer.query(now);
      samples.push((this.now() - began) * 1e6);
      await peer.close();
    }
    return { values: { time: quantile(samples, 0.5) }, top };
  }
}
