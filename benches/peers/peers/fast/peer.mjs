// What the two tuned peers have in common towards the harness: a database of dense numbers behind the ids of a workload.
import { Items } from "./items.mjs";
import { Log } from "./log.mjs";
import { Members } from "./members.mjs";

/**
 * @typedef {import("../forward.mjs").Forward | import("../tuned.mjs").Tuned} Fast
 * @typedef {{ new (items: Items, members: Members): Fast, load(bytes: Uint8Array): Fast }} FastClass
 */

/**
 * @param {import("../../lib/workload.mjs").Workload} workload
 * @param {Fast} database
 * @returns {import("../../lib/peer.mjs").Peer}
 */
function over({ itemIds, userIds, communityIds }, database) {
  const { users, communities, open } = database.members;
  const user = users.find(userIds[0]);
  const community = communities.find(communityIds[0]);
  return {
    ingest(signals, from, to) {
      for (let place = from; place < to; place++) {
        database.signal(
          userIds[signals.users[place]],
          itemIds[signals.items[place]],
          signals.kinds[place],
          communityIds[signals.communities[place]],
          signals.at[place],
        );
      }
    },
    ingestBatch({ items, kinds, at }, from, to, size) {
      for (let begin = from; begin < to; begin += size) {
        const end = Math.min(begin + size, to);
        const ids = new Array(end - begin);
        for (let place = begin; place < end; place++) ids[place - begin] = itemIds[items[place]];
        database.signalBatch(userIds[0], ids, kinds.subarray(begin, end), communityIds[0], at.subarray(begin, end));
      }
    },
    query: (now) => database.query(user, community, now),
    leave() {
      open[database.members.place(user, community)] = 0;
    },
    flush: () => database.log?.flush().length ?? 0,
    snapshot: () => database.save(),
    close() {},
  };
}

/**
 * The peer over a class of databases.
 * @param {string} name
 * @param {string} label
 * @param {FastClass} Database
 * @returns {import("../../lib/peer.mjs").PeerClass}
 */
export function fastPeer(name, label, Database) {
  return {
    name,
    label,
    batches: true,
    create(workload, { log }) {
      const items = Items.from(workload.catalogue, workload.itemIds);
      const database = new Database(items, Members.from(workload));
      if (log) database.log = new Log();
      return over(workload, database);
    },
    restore: (workload, saved) => over(workload, Database.load(/** @type {Uint8Array} */ (saved))),
  };
}
