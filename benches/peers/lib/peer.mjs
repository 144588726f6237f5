// What every peer implements, and which peers there are. A peer gets the same data and must give the same answers; what it
// cannot express it leaves out, and the table says so.

/**
 * @typedef {object} Ranked
 * @property {number | string} id as the app has it; the product gives it as a string
 * @property {number} score
 */

/**
 * @typedef {object} Peer one database, filled with the catalogue, its users members of their communities
 * @property {(signals: import("./workload.mjs").Signals, from: number, to: number) => void} ingest one call a signal
 * @property {(signals: import("./workload.mjs").Signals, from: number, to: number, size: number) => void} [ingestBatch]
 *   `size` signals a call; of the first user
 * @property {(now: number) => readonly Ranked[]} query the first user's best 20 unseen items, and the community's say
 * @property {() => void} leave the first user leaves: nothing more counts in the community
 * @property {() => number | Promise<number>} [flush] hands over what is new since the last flush as bytes; how many
 * @property {() => { length: number }} snapshot all of it, catalogue too, as bytes or text
 * @property {() => unknown} close
 */

/**
 * @typedef {object} PeerClass
 * @property {string} name
 * @property {string} label
 * @property {boolean} [batches] whether it takes many signals in one call
 * @property {number} [pace] the share of the queries that is timed, where they are slow
 * @property {boolean} [slow] it takes the main steps alone in a quick run
 * @property {Record<string, string>} [leavesOut] the steps that it cannot take, and why
 * @property {(workload: import("./workload.mjs").Workload, options: { log: boolean }) => Peer | Promise<Peer>} create
 *   with `log`, what is new is kept for `flush`
 * @property {(workload: import("./workload.mjs").Workload, saved: unknown) => Peer | Promise<Peer>} restore
 */

/** Modules by name: a process loads the one that it measures and no other. @type {Record<string, () => Promise<PeerClass>>} */
export const PEERS = {
  tidegate: async () => (await import("../peers/product.mjs")).product,
  plain: async () => (await import("../peers/plain.mjs")).plain,
  tuned: async () => (await import("../peers/tuned.mjs")).tuned,
  forward: async () => (await import("../peers/forward.mjs")).forward,
  tinybase: async () => (await import("../peers/tinybase.mjs")).tinybase,
  sqlite: async () => (await import("../peers/sqlite.mjs")).sqlite,
  loro: async () => (await import("../peers/loro.mjs")).loro,
};
