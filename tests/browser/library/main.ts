// A page with nothing but the library: it does what the address asks (`?write`, …) and shows the answer as JSON.
import { open, TidegateError } from "tidegate";
import { dump, watchStorage } from "./storage.ts";

const NAME = "library-test";
const [USER, COMMUNITY, ITEM] = ["ann", "readers", "a book"];
const BOOK = { id: ITEM, categories: ["novel"], creator: "an author", createdAt: 1_000_000_000_000 };

/** What can be asked for. */
const steps: Record<string, () => Promise<unknown>> = {
  /** Fills a new database. */
  async write() {
    const db = await open({ name: NAME, storage: "indexeddb" });
    db.upsertItems([BOOK]);
    const epoch = db.join(USER, COMMUNITY);
    const outcome = db.signal({ user: USER, item: ITEM, kind: "save", community: COMMUNITY });
    await db.flush();
    return { persistent: db.persistent, epoch, outcome, pending: db.stats().pending };
  },

  /** Tells what a database that was opened again knows. */
  async read() {
    const db = await open({ name: NAME, storage: "indexeddb" });
    const state = db.membership(USER, COMMUNITY);
    const { items } = db.query({ user: USER, community: COMMUNITY });
    const answer = {
      state: state?.state,
      epoch: state?.epoch,
      contributing: state?.contributing,
      layer: db.communityLayerStatus(USER).status,
      signals: db.profile(USER).signals,
      found: items.map(({ id }) => id),
      shared: items.some(({ community }) => community > 0),
    };
    await db.close();
    return answer;
  },

  /** Opens, reads all that can be read, says what is known already, closes; tells what reached the storage. */
  async idle() {
    const before = await dump(NAME);
    const watch = watchStorage();
    const db = await open({ name: NAME, storage: "indexeddb" });
    db.upsertItems([BOOK]);
    db.join(USER, COMMUNITY);
    db.query({ user: USER, community: COMMUNITY });
    db.profile(USER);
    db.memberships();
    db.snapshot();
    await db.close();
    const { writes, transactions } = watch.stop();
    const readwrite = transactions.filter(({ mode }) => mode === "readwrite");
    return { writes, readwrite, same: before === (await dump(NAME)), stored: before.length > 0 };
  },

  /** Leaves; tells how the storage was asked to keep that. */
  async leave() {
    const db = await open({ name: NAME, storage: "indexeddb" });
    const watch = watchStorage();
    const { durable } = db.leave(USER, COMMUNITY);
    const outcome = db.signal({ user: USER, item: ITEM, kind: "like", community: COMMUNITY });
    await durable;
    const { writes, transactions } = watch.stop();
    // Not closed: what `durable` promised is stored without.
    return { outcome, writes, transactions };
  },

  /** Signals without a membership; tells how the storage was asked to keep that. */
  async signal() {
    const db = await open({ name: NAME, storage: "indexeddb", flushDelay: 0 });
    const watch = watchStorage();
    db.signal({ user: USER, item: ITEM, kind: "view" });
    await watch.written;
    const { transactions } = watch.stop();
    await db.close();
    return { transactions };
  },

  /** Rejoins; leaves the layer. */
  async rejoin() {
    const db = await open({ name: NAME, storage: "indexeddb" });
    const epoch = db.rejoin(USER, COMMUNITY);
    const { durable, status } = db.leaveCommunityLayer(USER);
    await durable;
    return { epoch, status };
  },
};

const step = steps[location.search.slice(1)];
const answer = step === undefined ? { error: "no such step" } : await step().catch(describe);
const output = document.getElementById("answer");
if (output !== null) output.textContent = JSON.stringify(answer);

function describe(error: unknown): { error: string } {
  return { error: error instanceof TidegateError ? `${error.code}: ${error.message}` : String(error) };
}
