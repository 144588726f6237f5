// Databases for tests, and a community's aggregate as another member sees it.
import { expect } from "vitest";
import { type Id, type OpenOptions, open, type SignalKind, type Tidegate } from "../../../js/index.js";
import { Clock } from "./clock.js";

/** Kinds of one weight each: `mark` hardly decays, so that it counts; `hour` halves every hour. */
export const SIGNALS: Record<string, SignalKind> = {
  mark: { weight: 1, halfLife: "36500d" },
  hour: { weight: 1, halfLife: "1h" },
};

/** Reads aggregates; has no profile. */
const OBSERVER = "observer";
/** The community score's evidence constant: a say of T counts as T ÷ (T + 20). */
const EVIDENCE = 20;

/** Opens a database in memory, on a clock that stands still at T0 unless another is given. */
export function openTest(options: OpenOptions = {}): Promise<Tidegate> {
  return open({ storage: "memory", now: new Clock().now, signals: SIGNALS, ...options });
}

/** How many contributions of kind `mark` each item has in the community. */
export function mass(database: Tidegate, community: Id): Record<string, number> {
  database.join(OBSERVER, community);
  const { items } = database.query({ user: OBSERVER, community, includeSeen: true, limit: Infinity });
  const counts: Record<string, number> = {};
  for (const { id, local, community: part } of items) {
    expect(local, "the observer has no profile").toBe(0);
    const count = (EVIDENCE * part) / (1 - part);
    expect(Math.abs(count - Math.round(count)), `a whole number of contributions to ${id}: ${count}`).toBeLessThan(
      0.01,
    );
    if (Math.round(count) !== 0) counts[id] = Math.round(count);
  }
  return counts;
}

/** How many signals of kind `mark` a user's profile has per item. */
export function marks(database: Tidegate, user: Id): Record<string, number> {
  return Object.fromEntries(database.profile(user).items.map(({ id, score }) => [id, Math.round(score)]));
}

/** Records a signal of kind `mark`. */
export function mark(database: Tidegate, user: Id, item: Id, community?: Id) {
  return database.signal({ user, item, kind: "mark", ...(community === undefined ? {} : { community }) });
}

/** Gives a database an item, a member and a contribution, all under names, and stores them. */
export async function fillSample(database: Tidegate): Promise<Tidegate> {
  database.upsertItems([{ id: "film", categories: ["drama"], creator: "director" }]);
  database.join("ann", "club");
  mark(database, "ann", "film", "club");
  await database.flush();
  return database;
}
