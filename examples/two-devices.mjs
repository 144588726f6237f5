// Two devices of different people exchange community events, as bytes, until both have the same aggregates. What is local
// to a device never leaves it. Run it with `npm run example`.
import assert from "node:assert/strict";
import { open } from "tidegate";

const community = "film-noir";
const now = Date.UTC(2025, 0, 1);
// Two databases in one process; in life each is in its own browser. The outbox keeps events until they are delivered.
const phone = await open({ name: "phone", storage: "memory", outbox: true, now: () => now });
const laptop = await open({ name: "laptop", storage: "memory", outbox: true, now: () => now });

/**
 * Carries what waits on one device to the other. A host sends the bytes over a channel that it trusts, and acknowledges
 * them when they have arrived; until then they wait, and bytes that arrive twice count once.
 * @param {import("tidegate").Tidegate} from
 * @param {import("tidegate").Tidegate} to
 */
function carry(from, to) {
  const { bytes, cursor } = from.exportEvents({ communities: [community] });
  const report = to.importEvents(bytes);
  from.acknowledge(cursor);
  return { bytes, report };
}

/** What a device shows a member of the community who has no profile there. @param {import("tidegate").Tidegate} device */
function aggregates(device) {
  device.join("newcomer", community);
  const { items } = device.query({ user: "newcomer", community, limit: Infinity });
  return Object.fromEntries(items.filter((film) => film.community !== 0).map((film) => [film.id, film.community]));
}

phone.join("ann", community);
laptop.join("bob", community);
for (const item of ["Fargo", "Memento"]) phone.signal({ user: "ann", item, kind: "share", community });
phone.signal({ user: "ann", item: "Paddington", kind: "like" }); // No community: stays on the phone.
laptop.signal({ user: "bob", item: "Memento", kind: "like", community });
laptop.signal({ user: "bob", item: "Brick", kind: "dislike", community });

const { bytes, report } = carry(phone, laptop);
assert.equal(report.applied, 3); // A join and two signals
assert.ok(!Buffer.from(bytes).includes("Paddington"));
assert.equal(laptop.profile("ann").signals, 0);
assert.equal(carry(laptop, phone).report.applied, 3);
assert.deepEqual(aggregates(phone), aggregates(laptop));
assert.equal(laptop.importEvents(bytes).applied, 0); // Once is once.

// Ann leaves. Her profile goes on learning; all that goes out is the leave.
await phone.leave("ann", community).durable;
assert.equal(phone.signal({ user: "ann", item: "Dark City", kind: "share", community }), "Left");
const after = carry(phone, laptop).bytes;
assert.equal(laptop.membership("ann", community)?.state, "Left");
assert.ok(!Buffer.from(after).includes("Dark City"));
assert.equal(phone.profile("ann").signals, 4);

// Bob goes on, and in the end both devices have the same aggregates.
laptop.signal({ user: "bob", item: "Fargo", kind: "like", community });
carry(laptop, phone);
const [here, there] = [aggregates(phone), aggregates(laptop)];
assert.deepEqual(here, there);
assert.deepEqual(Object.keys(here).sort(), ["Brick", "Fargo", "Memento"]);
console.table({ phone: here, laptop: there });
await phone.close();
await laptop.close();
