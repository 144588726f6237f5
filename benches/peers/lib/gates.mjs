// Rounds of the gate's measurement, a process each.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Numbers of memberships. */
const ROWS = [1, 1_000, 100_000];

/** @typedef {{ rows: number, gate: number, bare: number, ratio: number }} GateRow */

/**
 * @param {string} module
 * @param {number} rounds
 * @returns {GateRow[][]}
 */
export function gateRounds(module, rounds) {
  const program = fileURLToPath(new URL("gate.mjs", import.meta.url));
  const round = () =>
    JSON.parse(execFileSync(process.execPath, [program, module, ...ROWS.map(String)], { encoding: "utf8" }));
  return Array.from({ length: rounds }, round);
}
