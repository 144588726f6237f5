// SQLite, the official WebAssembly build, in memory: prepared statements, one transaction held open as the product holds its
// pending events, upserts that decay, and the ranking in SQL.
import sqlite3InitModule from "@sqlite.org/sqlite-wasm";
import { DIMENSIONS, KINDS, RANKING } from "../lib/workload.mjs";
import { Items } from "./fast/items.mjs";

const sqlite3 = await sqlite3InitModule();

const AXES = Array.from({ length: DIMENSIONS }, (_, axis) => `v${axis}`);
const SCHEMA = `
  PRAGMA journal_mode = OFF;
  PRAGMA synchronous = OFF;
  PRAGMA temp_store = MEMORY;
  PRAGMA cache_size = -200000;
  CREATE TABLE kind (kind INTEGER PRIMARY KEY, weight REAL, rate REAL);
  CREATE TABLE item (item INTEGER PRIMARY KEY, creator INTEGER, inverse_norm REAL, freshness REAL,
    ${AXES.map((axis) => `${axis} REAL`).join(", ")});
  CREATE TABLE item_category (item INTEGER, category INTEGER, PRIMARY KEY (item, category)) WITHOUT ROWID;
  CREATE TABLE category (category INTEGER PRIMARY KEY, share REAL);
  CREATE TABLE member (user INTEGER, community INTEGER, open INTEGER, PRIMARY KEY (user, community)) WITHOUT ROWID;
  CREATE TABLE own (user INTEGER, item INTEGER, kind INTEGER, value REAL, time REAL,
    PRIMARY KEY (user, item, kind)) WITHOUT ROWID;
  CREATE TABLE total (community INTEGER, item INTEGER, kind INTEGER, value REAL, time REAL,
    PRIMARY KEY (community, item, kind)) WITHOUT ROWID;
`;
const PARTS = `
  CREATE TEMP TABLE own_sum (item INTEGER PRIMARY KEY, sum REAL, evidence REAL);
  CREATE TEMP TABLE category_part (category INTEGER PRIMARY KEY, part REAL);
  CREATE TEMP TABLE creator_part (creator INTEGER PRIMARY KEY, part REAL);
  CREATE TEMP TABLE community_part (item INTEGER PRIMARY KEY, part REAL);
`;
const RATE = "(SELECT rate FROM kind WHERE kind = excluded.kind)";
/** What an accumulator becomes by a signal. */
const DECAY = `DO UPDATE SET
  value = CASE WHEN excluded.time >= time THEN value * exp((time - excluded.time) * ${RATE}) + excluded.value
    ELSE value + excluded.value * exp((excluded.time - time) * ${RATE}) END,
  time = max(time, excluded.time)`;
const ADD_OWN = `INSERT INTO own VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT ${DECAY}`;
const ADD_TOTAL = `INSERT INTO total SELECT ?6, ?2, ?3, ?4, ?5 FROM member WHERE user = ?1 AND community = ?6 AND open
  ON CONFLICT ${DECAY}`;
const ROWS = "SELECT ?1, value ->> 0, value ->> 1, (SELECT weight FROM kind WHERE kind = value ->> 1), value ->> 2";
const ADD_OWN_ROWS = `INSERT INTO own ${ROWS} FROM json_each(?2) WHERE true ON CONFLICT ${DECAY}`;
const ADD_TOTAL_ROWS = `INSERT INTO total ${ROWS} FROM json_each(?2)
  WHERE EXISTS (SELECT 1 FROM member WHERE user = ?3 AND community = ?1 AND open) ON CONFLICT ${DECAY}`;
/** An accumulator as of ?2. */
const READ = "value * exp((time - ?2) * rate)";
const GATHER = [
  `INSERT INTO own_sum SELECT item, sum(${READ}), sum(abs(${READ})) FROM own JOIN kind USING (kind)
     WHERE user = ?1 GROUP BY item`,
  `INSERT INTO community_part SELECT item, ${RANKING.community} * sum(${READ}) / (sum(abs(${READ})) + ${RANKING.communityPrior})
     FROM total JOIN kind USING (kind) WHERE community = ?3
     AND EXISTS (SELECT 1 FROM member WHERE user = ?1 AND community = ?3 AND open) GROUP BY item`,
  `INSERT INTO category_part SELECT category, ${RANKING.category} * sum(sum) / (sum(evidence) + ${RANKING.affinityPrior}
       + ${RANKING.chance} * share * (SELECT sum(evidence) FROM own_sum))
     FROM own_sum JOIN item_category USING (item) JOIN category USING (category) GROUP BY category`,
  `INSERT INTO creator_part SELECT creator, ${RANKING.creator} * sum(sum) / (sum(evidence) + ${RANKING.affinityPrior})
     FROM own_sum JOIN item USING (item) GROUP BY creator`,
];
const PREFERENCE = `SELECT sum(evidence), ${AXES.map((axis) => `sum(sum * ${axis})`).join(", ")}
  FROM own_sum JOIN item USING (item)`;
const RANK = `
  SELECT item, score, community FROM (
    SELECT item.item AS item, coalesce(community_part.part, 0) AS community,
      (SELECT sum(coalesce(part, 0)) / sqrt(count(*)) FROM item_category LEFT JOIN category_part USING (category)
        WHERE item_category.item = item.item)
      + coalesce(creator_part.part, 0)
      + (${AXES.map((axis, n) => `${axis} * ?${n + 2}`).join(" + ")}) * inverse_norm
      + min(freshness * ?1, ${RANKING.fresh}) + coalesce(community_part.part, 0) AS score
    FROM item LEFT JOIN creator_part USING (creator) LEFT JOIN community_part USING (item)
    WHERE item.item NOT IN (SELECT item FROM own_sum)
  ) ORDER BY score DESC, item LIMIT 20`;

/**
 * @param {import("../lib/workload.mjs").Workload} workload
 * @param {any} db an open database with the schema
 * @returns {import("../lib/peer.mjs").Peer}
 */
function over({ itemIds, userIds, communityIds }, db) {
  db.exec(PARTS);
  const [addOwn, addTotal, addOwnRows, addTotalRows, preference, rank] = [
    ADD_OWN,
    ADD_TOTAL,
    ADD_OWN_ROWS,
    ADD_TOTAL_ROWS,
    PREFERENCE,
    RANK,
  ].map((sql) => db.prepare(sql));
  const gather = GATHER.map((sql) => db.prepare(sql));
  const user = userIds[0];
  const community = communityIds[0];
  /** @param {any} statement @param {unknown[]} values */
  const run = (statement, values) => statement.bind(values).stepReset();
  db.exec("BEGIN");
  return {
    ingest(signals, from, to) {
      const values = [0, 0, 0, 0, 0, 0];
      for (let place = from; place < to; place++) {
        values[0] = /** @type {number} */ (userIds[signals.users[place]]);
        values[1] = /** @type {number} */ (itemIds[signals.items[place]]);
        values[2] = signals.kinds[place];
        values[3] = KINDS[signals.kinds[place]].weight;
        values[4] = signals.at[place];
        values[5] = /** @type {number} */ (communityIds[signals.communities[place]]);
        run(addOwn, values.slice(0, 5));
        run(addTotal, values);
      }
    },
    ingestBatch({ items, kinds, at }, from, to, size) {
      for (let begin = from; begin < to; begin += size) {
        const rows = [];
        for (let place = begin; place < Math.min(begin + size, to); place++) {
          rows.push([itemIds[items[place]], kinds[place], at[place]]);
        }
        const json = JSON.stringify(rows);
        run(addOwnRows, [user, json]);
        run(addTotalRows, [community, json, user]);
      }
    },
    query(now) {
      db.exec("DELETE FROM own_sum; DELETE FROM category_part; DELETE FROM creator_part; DELETE FROM community_part");
      run(gather[0], [user, now]);
      run(gather[1], [user, now, community]);
      gather[2].stepReset();
      gather[3].stepReset();
      preference.step();
      const [evidence, ...blend] = preference.get([]);
      preference.reset();
      const length = Math.hypot(...blend);
      const scale = length > 0 ? (RANKING.vector * evidence) / (evidence + RANKING.affinityPrior) / length : 0;
      rank.bind([Items.freshScale(now), ...blend.map((/** @type {number} */ value) => value * scale)]);
      const top = [];
      while (rank.step()) {
        const [id, score, shared] = rank.get([]);
        top.push({ id, score, community: shared });
      }
      rank.reset();
      return top;
    },
    leave() {
      db.exec({ sql: "UPDATE member SET open = 0 WHERE user = ? AND community = ?", bind: [user, community] });
    },
    snapshot() {
      db.exec("COMMIT");
      const bytes = sqlite3.capi.sqlite3_js_db_export(db);
      db.exec("BEGIN");
      return bytes;
    },
    close() {
      for (const statement of [addOwn, addTotal, addOwnRows, addTotalRows, preference, rank, ...gather])
        statement.finalize();
      db.close();
    },
  };
}

/** @type {import("../lib/peer.mjs").PeerClass} */
export const sqlite = {
  name: "sqlite",
  label: "SQLite",
  batches: true,
  pace: 0.05,
  slow: true,
  leavesOut: {
    "open-string": "integer keys",
    "open-string-batch": "integer keys",
    flush: "what is told is in the database; writing it out is its file system's",
  },
  create(workload) {
    const { catalogue, itemIds, userIds, communityIds, communityOf } = workload;
    const items = Items.from(catalogue, itemIds);
    const db = new sqlite3.oo1.DB(":memory:");
    db.exec(SCHEMA);
    db.exec("BEGIN");
    KINDS.forEach(({ weight, halfLife }, kind) => {
      db.exec({ sql: "INSERT INTO kind VALUES (?, ?, ?)", bind: [kind, weight, Math.LN2 / halfLife] });
    });
    const addItem = db.prepare(`INSERT INTO item VALUES (?, ?, ?, ?, ${AXES.map(() => "?").join(", ")})`);
    const addCategory = db.prepare("INSERT INTO item_category VALUES (?, ?)");
    for (let item = 0; item < items.count; item++) {
      const vector = items.vectors.subarray(item * DIMENSIONS, (item + 1) * DIMENSIONS);
      const facts = [itemIds[item], items.creators[item], items.inverseNorms[item], items.freshness[item]];
      addItem.bind([...facts, ...vector]).stepReset();
      for (let place = items.starts[item]; place < items.starts[item + 1]; place++) {
        addCategory.bind([itemIds[item], items.categories[place]]).stepReset();
      }
    }
    addItem.finalize();
    items.commonness.forEach((share, category) => {
      db.exec({ sql: "INSERT INTO category VALUES (?, ?)", bind: [category, share] });
    });
    addCategory.finalize();
    communityOf.forEach((community, user) => {
      db.exec({ sql: "INSERT INTO member VALUES (?, ?, 1)", bind: [userIds[user], communityIds[community]] });
    });
    db.exec("COMMIT");
    return over(workload, db);
  },
  restore(workload, saved) {
    const bytes = /** @type {Uint8Array} */ (saved);
    const { capi, wasm } = sqlite3;
    const db = new sqlite3.oo1.DB(":memory:");
    const place = wasm.allocFromTypedArray(bytes);
    const flags = capi.SQLITE_DESERIALIZE_FREEONCLOSE | capi.SQLITE_DESERIALIZE_RESIZEABLE;
    db.checkRc(
      capi.sqlite3_deserialize(/** @type {any} */ (db.pointer), "main", place, bytes.length, bytes.length, flags),
    );
    return over(workload, db);
  },
};
