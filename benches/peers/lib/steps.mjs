// What is measured, in order. All processes of a round take a step one after another before any takes the next, so that what
// slows the machine down for a while slows all of them.

/**
 * @typedef {object} Step
 * @property {string} key
 * @property {string} title
 * @property {"ingest" | "query" | "flush" | "snapshot" | "open"} act
 * @property {"solo" | "crowd"} [data] one user and one community, or many of both
 * @property {"integer" | "string"} [idType]
 * @property {boolean} [left] the user has left the community
 * @property {boolean} [batch] 1 000 signals a call
 */

/** How many signals a batch has. */
export const BATCH = 1_000;
/** How many events a flush hands over. */
export const EVENTS = 1_000;

/** @type {readonly Step[]} */
export const STEPS = [
  { key: "open", title: "open ingest, one call a signal", act: "ingest" },
  { key: "query", title: "query: best 20 unseen after one new signal", act: "query" },
  { key: "snapshot", title: "full snapshot", act: "snapshot" },
  { key: "restore", title: "open from it, to the first query", act: "open" },
  { key: "open-batch", title: "open ingest, batches of 1 000", act: "ingest", batch: true },
  { key: "gated", title: "gated ingest, one call a signal", act: "ingest", left: true },
  { key: "gated-batch", title: "gated ingest, batches of 1 000", act: "ingest", left: true, batch: true },
  { key: "open-string", title: "open ingest, string ids", act: "ingest", idType: "string" },
  { key: "open-string-batch", title: "open ingest, string ids, batches", act: "ingest", idType: "string", batch: true },
  { key: "flush", title: "flush of 1 000 new events", act: "flush" },
  { key: "crowd", title: "open ingest, 200 users in 20 communities", act: "ingest", data: "crowd" },
  { key: "crowd-query", title: "query where the community ranks", act: "query", data: "crowd" },
];

/**
 * The steps whose key or title has one of the words, and those that they build on: a query needs what was taken in before.
 * @param {readonly string[]} words
 */
export function chosen(words) {
  if (words.length === 0) return STEPS;
  const named = STEPS.filter(({ key, title }) => {
    const own = [key, ...title.split(/\W+/)];
    return words.some((word) => own.includes(word));
  });
  const solo = named.some(({ act, data }) => data !== "crowd" && act !== "ingest" && act !== "flush");
  const crowd = named.some(({ act, data }) => data === "crowd" && act === "query");
  return STEPS.filter(
    (step) => named.includes(step) || (solo && step.key === "open") || (crowd && step.key === "crowd"),
  );
}
