// Reads how many tests passed and failed from what the test runners say.
import { readFileSync } from "node:fs";

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/** @returns {Counts} */
export const none = () => ({ passed: 0, failed: 0, skipped: 0 });

/**
 * @param {Counts} a
 * @param {Counts} b
 * @returns {Counts}
 */
export const sum = (a, b) => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
});

/**
 * What cargo's test harness and wasm-bindgen's print at the end of each test program.
 * @param {string} output
 */
export function cargoCounts(output) {
  const results = output.matchAll(/^test result: \S+ (\d+) passed; (\d+) failed; (\d+) ignored/gm);
  return [...results]
    .map(([, passed, failed, skipped]) => ({
      passed: Number(passed),
      failed: Number(failed),
      skipped: Number(skipped),
    }))
    .reduce(sum, none());
}

/**
 * What vitest's JSON reporter wrote.
 * @param {string} file
 * @returns {Counts}
 */
export function vitestCounts(file) {
  const report = JSON.parse(readFileSync(file, "utf8"));
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/**
 * The closing line.
 * @param {Counts} counts
 */
export function closing({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}
