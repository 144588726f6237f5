// The gate alone against a bare look-up of the same key, both inside one WebAssembly module; in Node and in pages.
import { median } from "./table.mjs";

/** Numbers of memberships. */
export const ROWS = [1, 1_000, 100_000];

/** Checks that one call makes for each pass. */
const KEYS = 4_096;
const PASSES = 16;
const PAIRS = 25;

/** @typedef {{ rows: number, gate: number, bare: number, ratio: number }} GateRow nanoseconds a check */
/** @typedef {{ gate_rows(rows: number): void, gate_gated(passes: number): number, gate_bare(passes: number): number }} Gate */

/**
 * @param {WebAssembly.Module} module
 * @returns {Gate}
 */
export function instantiate(module) {
  /** @type {WebAssembly.Imports} */
  const imports = {};
  // What the package's own binding imports is linked in, and never called.
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    imports[from] = { ...imports[from], [name]: () => {} };
  }
  return /** @type {Gate} */ (/** @type {unknown} */ (new WebAssembly.Instance(module, imports).exports));
}

/** @param {() => number} call */
function each(call) {
  const began = performance.now();
  call();
  return ((performance.now() - began) * 1e6) / (KEYS * PASSES);
}

/**
 * @param {Gate} gate
 * @param {readonly number[]} rows
 * @returns {GateRow[]}
 */
export function measureGate(gate, rows) {
  return rows.map((count) => {
    gate.gate_rows(count);
    if (gate.gate_gated(PASSES) !== 0 || gate.gate_bare(PASSES) !== 0) throw new Error("an open gate is closed");
    // Until the compiler is done.
    for (const until = performance.now() + 150; performance.now() < until; ) {
      gate.gate_gated(PASSES);
      gate.gate_bare(PASSES);
    }
    const samples = Array.from({ length: PAIRS }, () => [
      each(() => gate.gate_gated(PASSES)),
      each(() => gate.gate_bare(PASSES)),
    ]);
    return {
      rows: count,
      gate: median(samples.map(([gated]) => gated)),
      bare: median(samples.map(([, bare]) => bare)),
      ratio: median(samples.map(([gated, bare]) => gated / bare)),
    };
  });
}
