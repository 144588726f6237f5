// Runs the peers side by side and prints one table of ratios. `npm run bench` at the root builds what this needs first.
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { bars } from "./lib/bars.mjs";
import { downloads } from "./lib/downloads.mjs";
import { gateRounds } from "./lib/gates.mjs";
import { nodeRunner, runRounds } from "./lib/lockstep.mjs";
import { nativeRunner } from "./lib/native.mjs";
import { PEERS } from "./lib/peer.mjs";
import { picture } from "./lib/picture.mjs";
import { probeRounds } from "./lib/probes.mjs";
import { scaleTable, sweep } from "./lib/scale.mjs";
import { chosen } from "./lib/steps.mjs";
import { barTable, gateTable, groups, markdown, printed, ratios, weights } from "./lib/table.mjs";

// `--only query open` and `--only query --only open` are the same.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: "boolean", default: false },
    tiny: { type: "boolean", default: false },
    only: { type: "string", multiple: true, default: [] },
    browsers: { type: "boolean", default: false },
    scale: { type: "boolean", default: false },
    rounds: { type: "string" },
    peers: { type: "string", default: "" },
    cpu: { type: "boolean", default: false },
    native: { type: "string", default: "" },
    gate: { type: "string", default: "" },
  },
});
const words = [...values.only, ...positionals];
/** Whether a part is asked for that is no step. @param {string} part */
const asked = (part) => words.length === 0 || words.includes(part);
const steps = chosen(words);
const size = values.tiny ? "tiny" : values.quick ? "quick" : "full";
const sizes = {
  cpu: values.cpu,
  ...{
    tiny: { items: 1_000, signals: 3_000, queries: 5, repeats: 1, cold: true },
    quick: { items: 50_000, signals: 30_000, queries: 40, repeats: 2, brief: true },
    full: { items: 50_000, signals: 300_000, queries: 200, repeats: 3 },
  }[size],
};
const rounds = Number(values.rounds ?? { tiny: 1, quick: 3, full: 15 }[size]);
const folder = fileURLToPath(new URL("results/", import.meta.url));
mkdirSync(folder, { recursive: true });

/** @param {string} text */
const say = (text) => process.stdout.write(`${text}\n`);
/** @type {import("./lib/table.mjs").Table[]} */
const tables = [];
/** @param {import("./lib/table.mjs").Table} table */
function show(table) {
  tables.push(table);
  say(`\n${printed(table)}\n`);
}

/** Whether a peer takes part: `--peers tuned,native` leaves the others out, and never the product. @param {string} name */
const takesPart = (name) =>
  // Its clock is the real one.
  !(values.cpu && name === "native") &&
  (values.peers === "" || name === "tidegate" || values.peers.split(",").includes(name));
const names = Object.keys(PEERS).filter(takesPart);
const peers = await Promise.all(names.map(async (name) => ({ name, label: (await PEERS[name]()).label })));
const machine = `${cpus()[0]?.model.trim()}, ${cpus().length} cores, ${process.platform}`;
say(`${machine}, Node ${process.version}; ${rounds} rounds of ${sizes.signals} signals on ${sizes.items} items`);
/** @type {{ node: import("./lib/lockstep.mjs").Rounds, [part: string]: any }} */
const result = { machine, node: { samples: {}, skipped: {}, compared: 0 }, sizes, rounds, gate: [] };

if (steps.length > 0) {
  const startNative = nativeRunner(values.native, folder, sizes);
  const native = takesPart("native");
  const start = () => [...names.map((name) => nodeRunner(name, sizes)), ...(native ? [startNative()] : [])];
  result.node = await runRounds({ rounds, steps, reference: "tidegate", start, say });
  const all = native ? [...peers, { name: "native", label: "the core, native" }] : peers;
  const title = `Tidegate beside its peers, Node ${process.versions.node}`;
  const labels = all.slice(1).map(({ label }) => label);
  writeFileSync(`${folder}${size}.svg`, picture(title, labels, groups(result.node, steps, all)));
  show(ratios("In Node: times, and how many times as long each peer takes", result.node, steps, all));
}
if (asked("gate")) {
  result.gate = gateRounds(values.gate, rounds);
  show(gateTable(result.gate));
}
if (asked("weight")) {
  result.probes = probeRounds(names, sizes, Math.min(rounds, 5));
  result.downloads = await downloads(folder);
  show(weights(result.probes, result.downloads, result.node.samples, peers));
}
if (values.scale || (size === "full" && asked("scale"))) {
  result.scale = sweep(values.gate, values.scale);
  show(scaleTable(result.scale));
}
if (values.browsers || (size === "full" && asked("browser"))) {
  const { browserRounds } = await import("./lib/browsers.mjs");
  result.browsers = await browserRounds({ rounds, steps, sizes, peers, say, show });
}
const seen = bars({
  node: result.node.samples,
  gate: result.gate,
  chromiumStore: result.browsers?.chromium?.store?.samples,
});
show(barTable(seen));
const text = tables.map((table) => `### ${table.title}\n\n${markdown(table)}\n`).join("\n");
writeFileSync(`${folder}${size}.json`, JSON.stringify(result, undefined, 1));
writeFileSync(`${folder}${size}.md`, `${text}\nMachine: ${machine}, Node ${process.version}.\n`);
// The closing line that every check of this repository ends with: each answer that was right is one that passed.
const inPages = Object.values(result.browsers ?? {}).map(({ peers }) => peers.compared);
say(`${[result.node.compared, ...inPages].reduce((sum, count) => sum + count, 0)} passed, 0 failed`);
