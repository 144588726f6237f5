// Queries at the door (R14).
import { fields, flag, fraction, whole } from "./check.js";
import type { Core, CoreRanking } from "./core.js";
import type { Ids } from "./ids.js";
import { time } from "./time.js";
import type { Query } from "./types.js";

const DEFAULT_LIMIT = 20;
const NONE = new Float64Array(0);

/** Checks a query; what comes back asks the core. */
export function checkQuery(query: unknown, ids: Ids, now: number): (core: Core) => CoreRanking {
  const asked = fields<Query>(query, "query");
  const { user, community, cohort, candidates, exclude, includeSeen, limit, offset, at, diversity } = asked;
  const userId = ids.user(user);
  const communityId = ids.optional(community, "community");
  const cohortId = ids.optional(cohort, "cohort");
  const only = candidates === undefined ? undefined : ids.list(candidates, "candidates");
  const without = exclude === undefined ? NONE : ids.list(exclude, "exclude");
  const withSeen = flag(includeSeen, false, "includeSeen");
  const rows = whole(limit, DEFAULT_LIMIT, Infinity, "limit");
  const skipped = whole(offset, 0, Infinity, "offset");
  const asOf = at === undefined ? now : time(at, "at");
  const spread = fraction(diversity, "diversity");
  return (core) => core.query(userId, communityId, cohortId, only, without, withSeen, rows, skipped, asOf, spread);
}
