// Rounds of the gate's measurement, a process each.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { ROWS } from "./gate.mjs";

/**
 * @param {string} module
 * @param {number} rounds
 * @returns {import("./gate.mjs").GateRow[][]}
 */
export function gateRounds(module, rounds) {
  const program = fileURLToPath(new URL("gate-process.mjs", import.meta.url));
  const round = () =>
    JSON.parse(execFileSync(process.execPath, [program, module, ...ROWS.map(String)], { encoding: "utf8" }));
  return Array.from({ length: rounds }, round);
}
