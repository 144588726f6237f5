// What must not compile. Each line under an expectation is an error; were it none, the expectation would be.
import { type Change, type Outcome, open, restore, type Tidegate, TidegateError } from "tidegate";
import { fileStore } from "tidegate/node";

declare const tide: Tidegate;
const user = "ada";

// @ts-expect-error: there is no such storage
open({ storage: "disk" });
// @ts-expect-error: a duration has a unit that is known
open({ flushDelay: "7 weeks" });
// @ts-expect-error: an option that is misspelt
open({ flushdelay: 50 });
// @ts-expect-error: onCorrupt is one of two words
open({ onCorrupt: "ignore" });
// @ts-expect-error: a kind is told what it means, not what it weighs alone
open({ signals: { watched: 3 } });
// @ts-expect-error: a half-life is a duration
open({ signals: { watched: { halfLife: "a fortnight" } } });
// @ts-expect-error: a database is restored from bytes
restore("snapshot");
// @ts-expect-error: a store has a place
fileStore();

// @ts-expect-error: an id is no boolean
tide.join(true, "films");
// @ts-expect-error: nor is it null
tide.join(user, null);
// @ts-expect-error: nobody joins nothing
tide.join(user);
// @ts-expect-error: shared are all kinds, none, or a list
tide.join(user, "films", { share: "like" });
// @ts-expect-error: how to leave is one of two words
tide.leave(user, "films", { mode: "Forever" });

// @ts-expect-error: a signal has a kind
tide.signal({ user, item: 1 });
// @ts-expect-error: a signal is of an item
tide.signal({ user, kind: "like" });
// @ts-expect-error: a time is a number or a Date
tide.signal({ user, item: 1, kind: "like", at: "2026-01-01" });
// @ts-expect-error: a signal without a community is local and nothing else
const recorded: "Recorded" = tide.signal({ user, item: 1, kind: "like" });
// @ts-expect-error: a signal with a community is never just local
const local: "Local" = tide.signal({ user, item: 1, kind: "like", community: "films" });
// @ts-expect-error: a batch has typed arrays
tide.signalBatch({ user, items: [1n], kinds: [3] });
// @ts-expect-error: a batch counts whole 64-bit ids
tide.signalBatch({ user, items: new Float64Array(1), kinds: new Uint16Array(1) });

// @ts-expect-error: a query is for somebody
tide.query({ community: "films" });
// @ts-expect-error: ids are a list, of one too
tide.removeItems(5);
// @ts-expect-error: rows are the caller's to read
tide.query({ user }).items.pop();
// @ts-expect-error: and so is what is in them
for (const row of tide.query({ user }).items) row.score = 1;
// @ts-expect-error: a membership is changed by joining and leaving
for (const row of tide.memberships(user)) row.epoch = 0;
// @ts-expect-error: nor can the list of them be
tide.memberships().sort();
// @ts-expect-error: what somebody hides they hide with a signal
tide.profile(user).hidden.push("alien");
// @ts-expect-error: the name is what it was opened with
tide.name = "other";
// @ts-expect-error: there may be no membership
tide.membership(user, "films").epoch;
// @ts-expect-error: nor terms
const version: number = tide.query({ user }).policyMetadata.sharePolicyVersion;

// @ts-expect-error: there is one event
tide.on("changed", () => {});
// @ts-expect-error: a reset has nothing of a membership
tide.on("change", (change: Change) => change.membership);
// @ts-expect-error: a code is one of those in docs/errors.md
new TidegateError("Oops");
// @ts-expect-error: an outcome is one of six words
const outcome: Outcome = "Counted";

export { local, outcome, recorded, version };
