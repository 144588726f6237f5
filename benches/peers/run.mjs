// Runs the peers side by side and prints one table of ratios. `npm run bench` at the root builds what this needs first.
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gateRounds } from "./lib/gates.mjs";
import { nodeRunner, runRounds } from "./lib/lockstep.mjs";
import { nativeRunner } from "./lib/native.mjs";
import { PEERS } from "./lib/peer.mjs";
import { chosen } from "./lib/steps.mjs";
import { gateTable, printed, ratios } from "./lib/table.mjs";

// `--only query open` and `--only query --only open` are the same.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: "boolean", default: false },
    only: { type: "string", multiple: true, default: [] },
    native: { type: "string", default: "" },
    gate: { type: "string", default: "" },
  },
});
const { quick, native, gate } = values;
const words = [...values.only, ...positionals];
const steps = chosen(words);
const rounds = quick ? 3 : 15;
const sizes = quick
  ? { items: 50_000, signals: 50_000, queries: 60, repeats: 2, brief: true }
  : { items: 50_000, signals: 300_000, queries: 200, repeats: 3 };
/** @param {string} text */
const say = (text) => process.stdout.write(`${text}\n`);

const folder = fileURLToPath(new URL("results/", import.meta.url));
mkdirSync(folder, { recursive: true });
const names = Object.keys(PEERS);
const peers = await Promise.all(names.map(async (name) => ({ name, label: (await PEERS[name]()).label })));
const startNative = nativeRunner(native, folder, sizes);
const result = { sizes, rounds, node: {}, gate: {} };

if (steps.length > 0) {
  say(`Node ${process.version}: ${rounds} rounds of ${steps.length} steps`);
  const start = () => [...names.map((name) => nodeRunner(name, sizes)), startNative()];
  const measured = await runRounds({ rounds, steps, reference: "tidegate", start, say });
  const all = [...peers, { name: "native", label: "the core, native" }];
  say(`\n${printed(ratios("Times, and how many times as long each peer takes", measured, steps, all))}`);
  result.node = measured;
}
if (words.length === 0 || words.includes("gate")) {
  const measured = gateRounds(gate, rounds);
  say(`\n${printed(gateTable(measured))}`);
  result.gate = measured;
}
writeFileSync(`${folder}${quick ? "quick" : "full"}.json`, JSON.stringify(result, undefined, 1));
