// What is stored in real IndexedDB: 1 000 new events, written by Tidegate and by what people keep events in otherwise.
import { Dexie } from "dexie";
import { createStore, set, setMany } from "idb-keyval";
import { open } from "tidegate";
import { quantile } from "../lib/actor.mjs";
import { EVENTS } from "../lib/steps.mjs";
import { KINDS, makeWorkload } from "../lib/workload.mjs";

/** @typedef {{ id: number, user: number, item: number, kind: string, community: number, at: number }} StoredEvent */
/** @typedef {() => Promise<import("../lib/actor.mjs").Answer>} Keeper */

/** The first is not counted: it makes the database and warms the code. */
const ROUNDS = 10;

const workload = () => makeWorkload({ items: 5_000, signals: EVENTS * (ROUNDS + 1) });

/** @param {import("../lib/workload.mjs").Workload} workload @param {number} round @returns {StoredEvent[]} */
const events = ({ signals, userIds, itemIds, communityIds }, round) =>
  Array.from({ length: EVENTS }, (_, n) => {
    const id = round * EVENTS + n;
    return {
      id,
      user: Number(userIds[signals.users[id]]),
      item: Number(itemIds[signals.items[id]]),
      kind: KINDS[signals.kinds[id]].name,
      community: Number(communityIds[signals.communities[id]]),
      at: signals.at[id],
    };
  });

/**
 * @param {(events: StoredEvent[]) => void} prepare what comes before the clock starts
 * @param {(events: StoredEvent[]) => Promise<unknown>} write
 */
async function measure(prepare, write) {
  const data = workload();
  const samples = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const batch = events(data, round);
    prepare(batch);
    const began = performance.now();
    await write(batch);
    if (round > 0) samples.push((performance.now() - began) * 1e6);
  }
  return { values: { time: quantile(samples, 0.5) } };
}

/** @param {"strict" | "relaxed"} durability @returns {Keeper} */
const dexie = (durability) => async () => {
  const db = new Dexie(`dexie ${durability}`, { chromeTransactionDurability: durability });
  db.version(1).stores({ events: "id" });
  await db.open();
  const answer = await measure(
    () => {},
    (batch) => db.table("events").bulkPut(batch),
  );
  db.close();
  return answer;
};

/** @param {"strict" | "relaxed"} durability @returns {Keeper} */
const tidegate = (durability) => async () => {
  let now = 0;
  // Strictly is how it flushes when it is asked to; by itself, after the delay, it does so with relaxed durability.
  const flushDelay = durability === "strict" ? "1h" : 0;
  const db = await open({ name: durability, storage: "indexeddb", now: () => now, flushDelay });
  const [{ at: first }] = events(workload(), 0);
  now = first;
  db.join(1, 1);
  await db.flush();
  /** @param {StoredEvent[]} batch */
  const tell = (batch) => {
    for (const { user, item, kind, community, at } of batch) {
      now = Math.max(now, at);
      db.signal({ user, item, kind, community, at });
    }
  };
  const written = async () => {
    while (db.stats().pending > 0) await new Promise((resolve) => setTimeout(resolve));
  };
  const answer = await measure(tell, durability === "strict" ? () => db.flush() : written);
  await db.close();
  return answer;
};

/** How each writes; the figures are of the same 1 000 events. @type {Record<(typeof import("./names.mjs").KEEPER_NAMES)[number], Keeper>} */
export const KEEPERS = {
  "tidegate strict": tidegate("strict"),
  "tidegate relaxed": tidegate("relaxed"),
  "dexie strict": dexie("strict"),
  "dexie relaxed": dexie("relaxed"),
  "idb-keyval, a key each": () => {
    const store = createStore("keyval each", "events");
    return measure(
      () => {},
      (batch) =>
        setMany(
          batch.map((event) => [event.id, event]),
          store,
        ),
    );
  },
  "idb-keyval, one value": () => {
    const store = createStore("keyval one", "events");
    return measure(
      () => {},
      (batch) => set(batch[0].id, batch, store),
    );
  },
};
