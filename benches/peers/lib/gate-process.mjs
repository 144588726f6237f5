// A round of the gate's measurement in a process of its own: it is given the module's path and numbers of memberships.
import { readFileSync } from "node:fs";
import { instantiate, measureGate } from "./gate.mjs";

const [path, ...rows] = process.argv.slice(2);
const gate = instantiate(new WebAssembly.Module(readFileSync(path)));
process.stdout.write(JSON.stringify(measureGate(gate, rows.map(Number))));
