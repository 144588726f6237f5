// The life of a membership, on the films of vega-datasets. Run it with `npm run example`.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { open } from "tidegate";

const file = new URL("../data/movies.json", import.meta.resolve("vega-datasets"));
/** @type {Record<string, string | null>[]} */
const films = JSON.parse(await readFile(file, "utf8"));

const db = await open();
db.upsertItems(
  films.map((film) => ({
    id: `${film.Title} (${film["Release Date"]?.slice(-4)})`,
    categories: film["Major Genre"] ? [film["Major Genre"]] : [],
    ...(film.Director && { creator: film.Director }),
  })),
);

const community = "film-noir";
/** @type {object[]} */
const table = [];
/** Gives signals of one kind, and asks for the best film. @param {string} step @param {string[]} liked */
function likeAndAsk(step, ...liked) {
  const outcomes = liked.map((item) => db.signal({ user: "you", item, kind: "like", community }));
  const { items, policyMetadata } = db.query({ user: "you", community, limit: 1 });
  const { id: best = "", local = 0, community: fromCommunity = 0 } = items[0] ?? {};
  const { membershipState: state, membershipEpoch: epoch } = policyMetadata;
  const counted = db.stats().contributions.recorded;
  const learned = db.profile("you").signals;
  const parts = { local: local.toFixed(2), community: fromCommunity.toFixed(2) };
  table.push({ step, outcome: outcomes[0], state, epoch, counted, learned, best, ...parts });
  return { outcomes, counted, learned, local, fromCommunity, epoch };
}

db.join("neighbour", community);
for (const item of ["Fargo (1996)", "Memento (2001)", "Brick (2006)"]) {
  db.signal({ user: "neighbour", item, kind: "share", community });
}

assert.equal(db.join("you", community), 0);
const joined = likeAndAsk("join", "L.A. Confidential (1997)", "Mystic River (2003)");
assert.deepEqual(joined.outcomes, ["Recorded", "Recorded"]);
assert.ok(joined.fromCommunity > 0);

await db.leave("you", community).durable; // The gate is closed when `leave` returns; `durable` is about the disk.
const left = likeAndAsk("leave", "Alien (1979)", "Blade Runner (1982)", "Dark City (1998)");
assert.deepEqual(left.outcomes, ["Left", "Left", "Left"]);
assert.equal(left.counted, joined.counted); // The community is frozen,
assert.ok(left.learned === joined.learned + 3 && left.local !== joined.local); // the profile has moved on,
assert.equal(left.fromCommunity, 0); // and the community has no say.

assert.equal(db.rejoin("you", community), 1);
const rejoined = likeAndAsk("rejoin", "Sin City (2005)");
assert.deepEqual(rejoined.outcomes, ["Recorded"]);
assert.ok(rejoined.counted === left.counted + 1 && rejoined.epoch === 1 && rejoined.fromCommunity > 0);

console.table(table);
await db.close();
