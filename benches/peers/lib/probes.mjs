// Rounds of the probe: a fresh process for each peer, in turns.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** @typedef {Record<string, { startup: number[], memory: number[] }>} Probes */

/**
 * @param {readonly string[]} names
 * @param {import("./actor.mjs").Sizes} sizes
 * @param {number} rounds
 * @returns {Probes}
 */
export function probeRounds(names, sizes, rounds) {
  const program = fileURLToPath(new URL("probe.mjs", import.meta.url));
  /** @type {Probes} */
  const probes = Object.fromEntries(names.map((name) => [name, { startup: [], memory: [] }]));
  for (let round = 0; round < rounds; round++) {
    for (const name of names) {
      const args = ["--expose-gc", program, name, JSON.stringify(sizes)];
      const { startup, memory } = JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" }));
      probes[name].startup.push(startup);
      probes[name].memory.push(memory);
    }
  }
  return probes;
}
