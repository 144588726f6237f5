// Runs steps one after another, each whatever became of the others, and ends with one line of counts.
import { closing, none, sum } from "./counts.mjs";
import { elapsed, say, told } from "./run.mjs";

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {string} title
 * @property {() => Promise<{ ok: boolean, counts?: import("./counts.mjs").Counts }>} run without counts the step itself
 *   is what is counted
 */

/** @param {Step[]} steps */
export async function runSteps(steps) {
  let total = none();
  /** @type {string[]} */
  const summary = [];
  /** @type {string[]} */
  const broken = [];
  for (const step of steps) {
    say(`\n── ${step.name}: ${step.title}`);
    const start = Date.now();
    const { ok, counts } = await outcome(step);
    total = sum(total, counts);
    if (!ok) broken.push(step.name);
    const line = `${ok ? "✓" : "✗"} ${step.name}: ${closing(counts)} (${elapsed(Date.now() - start)})`;
    say(line);
    summary.push(line);
  }
  say(`\n${summary.map((line) => `  ${line}`).join("\n")}`);
  if (broken.length > 0) {
    say(`\n✗ failed: ${broken.join(", ")}`);
    process.exitCode = 1;
  }
  say(closing(total));
}

/**
 * A step that fails counts at least one failure, and one that ran no test at all has failed.
 * @param {Step} step
 */
async function outcome(step) {
  try {
    const { ok, counts } = await step.run();
    if (!counts) return { ok, counts: { ...none(), [ok ? "passed" : "failed"]: 1 } };
    if (ok && counts.passed === 0) say(`✗ ${step.name} ran no test`);
    if (ok && counts.failed === 0 && counts.passed > 0) return { ok, counts };
    return { ok: false, counts: { ...counts, failed: Math.max(counts.failed, 1) } };
  } catch (error) {
    say(`✗ ${told(error)}`);
    return { ok: false, counts: { ...none(), failed: 1 } };
  }
}
