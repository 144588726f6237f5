// Whether two peers give the same answer. Nothing that was timed counts before that is so.

/** Scores that differ by less are the same score. */
const TOLERANCE = 1e-6;

/** @typedef {import("./peer.mjs").Ranked} Ranked */

/**
 * Throws where two lists are not the same items in the same order with the same scores. Items whose scores are the same
 * within the tolerance are a tie, in which peers may order and cut as they like: the product orders a tie by the 64-bit id,
 * which for a string is its hash, and that no peer computes.
 * @param {string} what
 * @param {readonly Ranked[]} ours
 * @param {readonly Ranked[]} theirs
 */
export function sameTop(what, ours, theirs) {
  const fail = (/** @type {string} */ why) => {
    throw new Error(`${what}: not the same answer: ${why}\n${shown(ours)}\n${shown(theirs)}`);
  };
  if (ours.length !== theirs.length) fail("another number of items");
  const last = ours[ours.length - 1]?.score ?? 0;
  ours.forEach(({ id, score }, place) => {
    const their = theirs[place];
    if (!(Math.abs(score - their.score) <= TOLERANCE)) fail(`the score at ${place}`);
    if (String(id) === String(their.id)) return;
    const found = theirs.find((candidate) => String(candidate.id) === String(id));
    const tied = found === undefined ? score - last <= TOLERANCE : Math.abs(found.score - score) <= TOLERANCE;
    if (!tied) fail(`the item at ${place}`);
  });
}

/** @param {readonly Ranked[]} top */
const shown = (top) => top.map(({ id, score }) => `${id} ${score.toFixed(9)}`).join(", ");
