// The page that takes the steps: one peer in a browser of its own. It is told what to do through `ask`.
import { Actor } from "../lib/actor.mjs";
import { instantiate, measureGate, ROWS } from "../lib/gate.mjs";
import { KEEPERS } from "./keepers.mjs";

/** Those that run alike in Node and in browsers. @type {Record<string, () => Promise<import("../lib/peer.mjs").PeerClass>>} */
const peers = {
  tidegate: async () => (await import("../peers/product.mjs")).product,
  plain: async () => (await import("../peers/plain.mjs")).plain,
  tuned: async () => (await import("../peers/tuned.mjs")).tuned,
  forward: async () => (await import("../peers/forward.mjs")).forward,
};

async function measureGateHere() {
  const response = await fetch(new URL("../results/gate.wasm", import.meta.url));
  return measureGate(instantiate(await WebAssembly.compile(await response.arrayBuffer())), ROWS);
}

/** @type {Actor | undefined} */
let actor;

/** @param {{ name: string, sizes: import("../lib/actor.mjs").Sizes, warm?: import("../lib/steps.mjs").Step[], step?: import("../lib/steps.mjs").Step }} message */
async function ask({ name, sizes, warm, step }) {
  if (name === "gate") return await measureGateHere();
  const keeper = /** @type {Record<string, import("./keepers.mjs").Keeper>} */ (KEEPERS)[name];
  if (keeper !== undefined) return step === undefined ? {} : await keeper();
  actor ??= new Actor(await peers[name](), sizes);
  if (warm !== undefined) await actor.warm(warm);
  return step === undefined ? {} : await actor.take(step);
}

Object.assign(globalThis, { ask });
