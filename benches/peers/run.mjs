// Runs the peers side by side and prints one table of ratios. `npm run bench` at the root builds what this needs first.
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { nodeRunner, runRounds } from "./lib/lockstep.mjs";
import { PEERS } from "./lib/peer.mjs";
import { chosen } from "./lib/steps.mjs";
import { printed, ratios } from "./lib/table.mjs";

// `--only query open` and `--only query --only open` are the same.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: "boolean", default: false }, only: { type: "string", multiple: true, default: [] } },
});
const { quick } = values;
const steps = chosen([...values.only, ...positionals]);
const rounds = quick ? 3 : 15;
const sizes = quick
  ? { items: 50_000, signals: 50_000, queries: 60, repeats: 2 }
  : { items: 50_000, signals: 300_000, queries: 200, repeats: 3 };
/** @param {string} text */
const say = (text) => process.stdout.write(`${text}\n`);

const names = Object.keys(PEERS);
const peers = await Promise.all(names.map(async (name) => ({ name, label: (await PEERS[name]()).label })));
say(`Node ${process.version}: ${rounds} rounds of ${steps.length} steps with ${names.length} peers`);
const result = await runRounds({
  rounds,
  steps,
  reference: "tidegate",
  start: () => names.map((name) => nodeRunner(name, sizes)),
  say,
});
say(`\n${printed(ratios("Times, and how many times as long each peer takes", result, steps, peers))}`);
const folder = fileURLToPath(new URL("results/", import.meta.url));
mkdirSync(folder, { recursive: true });
writeFileSync(`${folder}${quick ? "quick" : "full"}.json`, JSON.stringify({ sizes, rounds, ...result }, undefined, 1));
