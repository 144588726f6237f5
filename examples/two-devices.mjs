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
  return items.map(({ id, community: say }) => ({ film: id, say: say.toFixed(3) }));
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

// Ann signals, and leaves before it is carried: only the leave goes out.
phone.signal({ user: "ann", item: "Alien", kind: "share", community });
await phone.leave("ann", community).durable;
phone.signal({ user: "ann", item: "Dark City", kind: "share", community });
const after = carry(phone, laptop);
assert.equal(laptop.membership("ann", community)?.state, "Left");
assert.ok(!Buffer.from(after.bytes).includes("Alien") && !Buffer.from(after.bytes).includes("Dark City"));
assert.equal(phone.profile("ann").signals, 5); // Her own profile has all of it.

// Bob goes on; what both devices had in common before, and what he adds, is the same on both.
laptop.signal({ user: "bob", item: "Fargo", kind: "like", community });
assert.ok(carry(laptop, phone).report.applied >= 1);
console.table({ phone: Object.fromEntries(aggregates(phone).map(({ film, say }) => [film, say])) });
console.table({ laptop: Object.fromEntries(aggregates(laptop).map(({ film, say }) => [film, say])) });
await phone.close();
await laptop.close();
