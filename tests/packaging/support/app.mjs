// The app of every case: a small film club. It throws where anything is other than it should be.

/** @typedef {typeof import("tidegate").open} Open */
/** @typedef {import("tidegate").OpenOptions} OpenOptions */

const [user, community] = ["ada", "film-club"];
const films = [
  { id: "alien", categories: ["sci-fi"] },
  { id: "heat", categories: ["crime"] },
  { id: "brick", categories: ["crime"] },
];

/**
 * Opens, joins, signals, leaves, rejoins, queries, closes, and opens again where there is storage.
 * @param {Open} open
 * @param {OpenOptions} [options]
 * @returns {Promise<Answer>}
 */
export async function live(open, options = {}) {
  const db = await open({ name: "app", ...options });
  db.upsertItems(films);
  equal(db.join(user, community), 0, "epoch after join");
  equal(db.signal({ user, item: "alien", kind: "like", community }), "Recorded", "a member's signal");
  const { items } = db.query({ user, community, includeSeen: true });
  const firstQuery = performance.now();
  equal(items[0]?.id, "alien", "best film");
  await db.leave(user, community).durable;
  equal(db.signal({ user, item: "heat", kind: "like", community }), "Left", "a leaver's signal");
  equal(db.rejoin(user, community), 1, "epoch after rejoin");
  equal(db.profile(user).signals, 2, "signals in the profile");
  equal(db.query({ user, community }).policyMetadata.membershipEpoch, 1, "epoch of the query");
  const stored = db.persistent;
  await db.close();
  if (stored) {
    const again = await open({ name: "app", ...options });
    equal(again.membershipEpoch(user, community), 1, "epoch in storage");
    equal(again.profile(user).signals, 2, "signals in storage");
    await again.close();
  }
  return { firstQuery, stored, loaded: loaded() };
}

/**
 * What an app tells.
 * @typedef {object} Answer
 * @property {number} firstQuery milliseconds from the beginning of the page, worker or process
 * @property {boolean} stored whether there was storage to open again
 * @property {number} loaded bytes of scripts and modules that a page loaded; 0 where nobody counts
 */

/** @param {() => Promise<unknown>} work what an app does; what comes of it, or the error, as JSON */
export const told = (work) =>
  work().then(
    (answer) => JSON.stringify(answer),
    (/** @type {any} */ error) => JSON.stringify({ error: `${error?.code ?? ""} ${error?.stack ?? error}` }),
  );

function loaded() {
  // A worker is not told of the scripts that it imports.
  if (typeof document === "undefined") return 0;
  const entries = /** @type {PerformanceResourceTiming[]} */ (performance.getEntriesByType?.("resource") ?? []);
  return entries.reduce((sum, { decodedBodySize = 0 }) => sum + decodedBodySize, 0);
}

/**
 * @param {unknown} found
 * @param {unknown} expected
 * @param {string} what
 */
function equal(found, expected, what) {
  if (found !== expected) throw new Error(`${what}: ${expected} was expected, not ${found}`);
}
