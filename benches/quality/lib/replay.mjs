// Tidegate's own rankings: the training part goes through its public API in the order of time, then it is asked.
import { open } from "tidegate";
import { SIGNALS } from "./data.mjs";
import { PLACES } from "./metrics.mjs";

const SECOND = 1_000;
/** The cohort that everybody is in. */
const EVERYBODY = "everybody";

/**
 * @typedef {object} Setting
 * @property {boolean} [categories] items have their genres
 * @property {Float64Array[]} [vectors] of the items
 * @property {boolean} [community] people share with those of their occupation, and ask there
 * @property {boolean} [cohort] everybody is in one cohort, and asks there
 * @property {boolean} [live] each is asked right after their last training event, else all of them after the last one of all
 */

/**
 * The first places for each of those asked, in their order.
 * @param {import("./data.mjs").Data} data
 * @param {import("./data.mjs").Person[]} people
 * @param {import("./data.mjs").Person[]} asked
 * @param {Setting} setting
 */
export async function replay(data, people, asked, { categories, vectors, community, cohort, live }) {
  const events = people.flatMap(({ train }) => train).sort((a, b) => a.at - b.at || a.user - b.user);
  let clock = events[0].at - SECOND;
  const db = await open({ storage: "memory", dimensions: vectors?.[0].length, now: () => clock });
  const user = (/** @type {number} */ number) => `user ${number}`;
  const occupation = (/** @type {number} */ number) => data.occupationNames[data.occupations[number]];
  db.upsertItems(
    data.itemIds.map((id, item) => ({
      id,
      categories: categories ? data.genres[item].map((genre) => data.genreNames[genre]) : undefined,
      vector: vectors?.[item],
    })),
  );
  for (const person of people) {
    if (community) db.join(user(person.user), occupation(person.user));
    if (cohort) db.setCohorts(user(person.user), [EVERYBODY]);
  }

  const numbers = new Map(data.itemIds.map((id, item) => [String(id), item]));
  /** @type {Map<import("./data.mjs").Person, number[]>} */
  const rankings = new Map();
  const ask = (/** @type {import("./data.mjs").Person} */ person) => {
    const { items } = db.query({
      user: user(person.user),
      community: community ? occupation(person.user) : undefined,
      cohort: cohort ? EVERYBODY : undefined,
      limit: PLACES,
    });
    rankings.set(
      person,
      items.map(({ id }) => numbers.get(id) ?? -1),
    );
  };
  const last = (/** @type {import("./data.mjs").Person} */ { train }) => train.at(-1)?.at ?? 0;
  const waiting = asked.slice().sort((a, b) => last(b) - last(a));
  for (const event of events) {
    // Whoever has rated something else in the same second is asked after it.
    while (live && waiting.length > 0 && last(waiting[waiting.length - 1]) < event.at) {
      const next = waiting.pop();
      if (next) ask(next);
    }
    clock = event.at;
    db.signal({
      user: user(event.user),
      item: data.itemIds[event.item],
      ...SIGNALS[event.rating],
      community: community ? occupation(event.user) : undefined,
    });
  }
  waiting.reverse().forEach(ask);
  await db.close();
  return asked.map((person) => rankings.get(person) ?? []);
}
