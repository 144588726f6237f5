// One point of the scale sweep in a fresh process: it is given what to measure and at which size, and prints nanoseconds.
import { product } from "../peers/product.mjs";
import { quantile } from "./actor.mjs";
import { makeWorkload } from "./workload.mjs";

const [what, sizeText] = process.argv.slice(2);
const size = Number(sizeText);
const ITEMS = 10_000;
const EVENTS = 1_000;
const REPEATS = 15;
/** What is stored beforehand is flushed in so large parts. */
const STORED = 100_000;

/** @param {() => unknown} call @param {number} of */
async function each(call, of) {
  const began = performance.now();
  await call();
  return ((performance.now() - began) * 1e6) / of;
}

/** The time of one more thousand signals, one by one, when so many were taken in. @param {number} signals @param {number} users */
async function signal(signals, users) {
  const workload = makeWorkload({
    items: ITEMS,
    signals: signals + REPEATS * EVENTS,
    users,
    communities: Math.min(users, 20),
  });
  const peer = await product.create(workload, { log: false });
  peer.ingest(workload.signals, 0, signals);
  const samples = [];
  for (let from = signals; from < workload.signals.count; from += EVENTS) {
    samples.push(await each(() => peer.ingest(workload.signals, from, from + EVENTS), EVENTS));
  }
  return quantile(samples, 0.5);
}

/** @param {number} items */
async function query(items) {
  const signals = 10_000;
  const workload = makeWorkload({ items, signals: signals + REPEATS });
  const peer = await product.create(workload, { log: false });
  peer.ingest(workload.signals, 0, signals);
  const samples = [];
  for (let place = signals; place < workload.signals.count; place++) {
    peer.ingest(workload.signals, place, place + 1);
    samples.push(await each(() => peer.query(workload.signals.now[place]), 1));
  }
  return quantile(samples, 0.5);
}

/** @param {number} signals that are stored @param {number} events that are new */
async function flush(signals, events) {
  const workload = makeWorkload({ items: ITEMS, signals: signals + REPEATS * events });
  const peer = await product.create(workload, { log: true });
  for (let from = 0; from < signals; from += STORED) {
    peer.ingest(workload.signals, from, Math.min(from + STORED, signals));
    await peer.flush?.();
  }
  const samples = [];
  for (let from = signals; from < workload.signals.count; from += events) {
    peer.ingest(workload.signals, from, from + events);
    samples.push(await each(() => peer.flush?.(), 1));
  }
  return quantile(samples, 0.5);
}

/** @type {Record<string, () => Promise<number>>} */
const measures = {
  "signal after signals": () => signal(size, 1),
  "signal beside memberships": () => signal(10_000, size),
  "query over items": () => query(size),
  "flush after signals": () => flush(size, EVENTS),
  "flush of events": () => flush(10_000, size),
};
process.stdout.write(String(await measures[what]()));
