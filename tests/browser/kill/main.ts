// A page that works until its browser is killed, and tells the server that the address names of what is stored.
import { open } from "tidegate";
import { Random } from "../support/random.ts";
import { BATCH, type Fact, type Progress, type Task } from "./facts.ts";

const [USER, COMMUNITY] = ["ann", "readers"];
const server = new URLSearchParams(location.search).get("facts") ?? "";

async function tell(fact: Fact): Promise<Task> {
  return (await fetch(server, { method: "POST", body: JSON.stringify(fact) })).json();
}

/** Tells without waiting. A browser that is killed meanwhile has nobody to tell of the failure. */
function say(fact: Fact): void {
  tell(fact).catch(() => {});
}

// Compactions go on in the background; they show in what they write.
const { put } = IDBObjectStore.prototype;
IDBObjectStore.prototype.put = function (...args: Parameters<typeof put>): IDBRequest<IDBValidKey> {
  if (args[1] === "bytes") {
    say({ type: "compacting" });
    this.transaction.addEventListener("complete", () => say({ type: "compacted" }));
  }
  return put.apply(this, args);
};

let lossTold: Promise<unknown> | undefined;
const db = await open({ name: "kill-test", storage: "indexeddb", onError: fail });

function fail(error: unknown): void {
  const why = String(error);
  if (why.includes("deleted what was stored")) lossTold = tell({ type: "lost", why });
  else say({ type: "failed", error: why });
}

function progress(): Progress {
  const { epoch = -1, state } = db.membership(USER, COMMUNITY) ?? {};
  const step = state === undefined ? -1 : 2 * epoch + (state === "Left" ? 1 : 0);
  return { signals: db.profile(USER).signals, step };
}

/** Leaves or joins, whichever is next; tells when that is stored. */
async function nextStep(now: Progress): Promise<void> {
  now.step++;
  await tell({ type: "making", ...now });
  const leaves = now.step % 2 === 1;
  if (leaves) await db.leave(USER, COMMUNITY).durable;
  else {
    db.join(USER, COMMUNITY);
    await db.flush();
  }
  await tell({ type: "stored", by: leaves ? "durable" : "flush", ...now });
}

const items = BigUint64Array.from({ length: BATCH }, (_, index) => BigInt(index % 64));
const kinds = new Uint16Array(BATCH).fill(db.kindOf("view"));

async function stream(seed: number): Promise<void> {
  const random = new Random(seed);
  const now = progress();
  for (;;) {
    if (random.below(3) === 0) {
      await nextStep(now);
      continue;
    }
    now.signals += BATCH;
    await tell({ type: "making", ...now });
    db.signalBatch({ user: USER, items, kinds, community: COMMUNITY });
    // Some are left to the library to store when it likes.
    if (random.below(4) === 0) continue;
    const flushed = db.flush();
    say({ type: "flushing" });
    await flushed;
    await tell({ type: "stored", by: "flush", ...now });
  }
}

async function join(): Promise<Progress> {
  const now = progress();
  if (now.step % 2 !== 0) await nextStep(now);
  return now;
}

async function leave(): Promise<void> {
  const now = await join();
  now.step++;
  await tell({ type: "making", ...now });
  const left = db.leave(USER, COMMUNITY);
  say({ type: "left" });
  await left.durable;
  await tell({ type: "stored", by: "durable", ...now });
}

async function durable(rounds: number): Promise<void> {
  const took: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await join();
    const began = performance.now();
    await db.leave(USER, COMMUNITY).durable;
    took.push(performance.now() - began);
  }
  await tell({ type: "durable", took });
}

try {
  await lossTold;
  const task = await tell({ type: "opened", ...progress() });
  if (task.do === "stream") await stream(task.seed);
  else if (task.do === "leave") await leave();
  else if (task.do === "durable") await durable(task.rounds);
} catch (error) {
  fail(error);
}
