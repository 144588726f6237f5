// Rounds. In each, every peer has a new process of its own, and all take the same step one after another, in turns of who is
// first; so a figure and the one it is compared with come from the same seconds.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { sameTop } from "./compare.mjs";

/** @typedef {import("./actor.mjs").Answer} Answer */
/** @typedef {import("./steps.mjs").Step} Step */

/**
 * @typedef {object} Runner something that takes steps, apart from everything else
 * @property {string} name
 * @property {(message: object) => Promise<Answer>} ask
 * @property {() => void | Promise<void>} end
 */

/** Figures by step, peer and value: one a round. @typedef {Record<string, Record<string, Record<string, number[]>>>} Samples */

/**
 * @typedef {object} Rounds
 * @property {Samples} samples
 * @property {Record<string, Record<string, string>>} skipped why, by step and peer
 * @property {number} compared how many answers were those of the reference
 */

/** What is heard in the browser too is the same protocol; here it is lines. @param {string} name @param {string} command @param {string[]} args @returns {Runner} */
export function processRunner(name, command, args) {
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    name,
    async ask(message) {
      child.stdin.write(`${JSON.stringify(message)}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error(`${name} ended in the middle of ${JSON.stringify(message)}`);
      return JSON.parse(value);
    },
    end() {
      child.stdin.end();
    },
  };
}

/** A JavaScript peer in Node. @param {string} name @param {import("./actor.mjs").Sizes} sizes */
export const nodeRunner = (name, sizes) =>
  processRunner(name, process.execPath, [
    "--expose-gc",
    fileURLToPath(new URL("child.mjs", import.meta.url)),
    name,
    JSON.stringify(sizes),
  ]);

/**
 * @param {object} options
 * @param {number} options.rounds
 * @param {readonly Step[]} options.steps
 * @param {string} options.reference whose answers are right
 * @param {() => Runner[] | Promise<Runner[]>} options.start new ones for each round
 * @param {(text: string) => void} options.say
 * @returns {Promise<Rounds>}
 */
export async function runRounds({ rounds, steps, reference, start, say }) {
  /** @type {Rounds} */
  const result = { samples: {}, skipped: {}, compared: 0 };
  for (let round = 0; round < rounds; round++) {
    const began = performance.now();
    const runners = await start();
    try {
      for (const runner of runners) await runner.ask({ warm: steps });
      for (const [number, step] of steps.entries()) await takeStep(result, runners, step, round + number, reference);
    } finally {
      await Promise.all(runners.map((runner) => runner.end()));
    }
    say(`  round ${round + 1} of ${rounds}, ${((performance.now() - began) / 1000).toFixed(0)} s`);
  }
  return result;
}

/**
 * @param {Rounds} result
 * @param {Runner[]} runners
 * @param {Step} step
 * @param {number} turn
 * @param {string} reference
 */
async function takeStep(result, runners, step, turn, reference) {
  const { samples, skipped } = result;
  /** @type {Map<string, Answer>} */
  const answers = new Map();
  for (let n = 0; n < runners.length; n++) {
    const runner = runners[(turn + n) % runners.length];
    answers.set(runner.name, await runner.ask({ step }));
  }
  const right = answers.get(reference)?.top;
  for (const [name, { skipped: why, values = {}, top }] of answers) {
    if (why !== undefined) {
      skipped[step.key] = { ...skipped[step.key], [name]: why };
      continue;
    }
    if (right !== undefined && top !== undefined && name !== reference) {
      sameTop(`${name}, ${step.title}`, right, top);
      result.compared++;
    }
    for (const [value, figure] of Object.entries(values)) {
      samples[step.key] ??= {};
      samples[step.key][name] ??= {};
      samples[step.key][name][value] ??= [];
      samples[step.key][name][value].push(figure);
    }
  }
}
