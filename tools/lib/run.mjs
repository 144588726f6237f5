// Runs commands: shows what runs and for how long, keeps their output, ends them when this process is told to end.
import { spawn } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import { root, searchPath } from "./project.mjs";

/** What a person reads as a message; everything else that is thrown is a bug in the tools and keeps its stack. */
export class Failure extends Error {}

const terminal = process.stdout.isTTY === true;
const reportEvery = 20_000;

/** @type {Set<import("node:child_process").ChildProcess>} */
const running = new Set();
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) {
  process.once(signal, () => {
    for (const child of running) child.kill(signal);
    process.exit(signal === "SIGINT" ? 130 : 143);
  });
}

/**
 * Seconds below a minute, else minutes and seconds.
 * @param {number} ms
 */
export function elapsed(ms) {
  const seconds = Math.round(ms / 1000);
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`;
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, "0")} s`;
}

/** @param {string} line */
export const say = (line) => process.stdout.write(`${line}\n`);

/**
 * Tells that something runs, from time to time how long already and what it said last, and how it ended.
 * @param {string} title
 */
function progress(title) {
  const start = Date.now();
  let last = "";
  let unfinished = "";
  const line = () => `${title}, ${elapsed(Date.now() - start)}${last ? `: ${last}` : ""}`;
  const erase = terminal ? "\r\x1b[K" : "";
  // What is done at once needs no announcement.
  const announce = terminal ? undefined : setTimeout(() => say(`… ${title}`), 1_000);
  const timer = setInterval(
    () => {
      if (!terminal) return say(`  … ${line()}`);
      const width = (process.stdout.columns ?? 80) - 3;
      process.stdout.write(`${erase}… ${line().slice(0, width)}`);
    },
    terminal ? 200 : reportEvery,
  );
  return {
    /** @param {string} text */
    heard(text) {
      // A line may come in pieces.
      const lines = (unfinished + text).split(/[\r\n]+/);
      unfinished = lines.pop() ?? "";
      last =
        lines
          .filter((line) => line.trim())
          .at(-1)
          ?.trim() ?? last;
    },
    /** @param {boolean} well */
    end(well) {
      clearTimeout(announce);
      clearInterval(timer);
      process.stdout.write(erase);
      say(`${well ? "✓" : "✗"} ${title} (${elapsed(Date.now() - start)})`);
    },
  };
}

/**
 * @typedef {object} RunOptions
 * @property {string} [title] what to call it; default: the command
 * @property {boolean} [live] show all of its output; else only progress, and the output if it fails
 * @property {boolean} [silent] show nothing unless it fails
 * @property {string} [cwd]
 * @property {Record<string, string | undefined>} [env] added to the environment; undefined takes away
 */

/**
 * Runs a command and gives its output without colours and whether it succeeded.
 * @param {string} command
 * @param {string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<{ output: string, ok: boolean }>}
 */
export function attempt(command, args, options = {}) {
  const title = options.title ?? [command, ...args].join(" ");
  const bar = options.live || options.silent ? undefined : progress(title);
  const colour = options.live && terminal ? { FORCE_COLOR: "1", CARGO_TERM_COLOR: "always" } : { NO_COLOR: "1" };
  return new Promise((resolve) => {
    let output = "";
    const child = spawn(command, args, {
      cwd: options.cwd ?? root,
      env: { ...process.env, ...colour, PATH: searchPath(), ...options.env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    running.add(child);
    /** @param {boolean} ok */
    const end = (ok) => {
      running.delete(child);
      bar?.end(ok);
      resolve({ output: stripVTControlCharacters(output), ok });
    };
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (/** @type {string} */ text) => {
        output += text;
        if (options.live) process.stdout.write(text);
        bar?.heard(stripVTControlCharacters(text));
      });
    }
    child.on("error", (error) => {
      output += `${command}: ${error.message}\n`;
      if (options.live) say(`${command}: ${error.message}`);
      end(false);
    });
    child.on("close", (code) => end(code === 0));
  });
}

/**
 * Runs a command that must succeed and gives its output.
 * @param {string} command
 * @param {string[]} args
 * @param {RunOptions} [options]
 */
export async function run(command, args, options = {}) {
  const { output, ok } = await attempt(command, args, options);
  if (ok) return output;
  const tail = options.live ? "" : `\n${output.trimEnd().split("\n").slice(-200).join("\n")}`;
  throw new Failure(`${options.title ?? [command, ...args].join(" ")} failed${tail}`);
}

/**
 * What to tell of something thrown: of a bug in the tools where it is, too.
 * @param {unknown} thrown
 */
export function told(thrown) {
  if (thrown instanceof Failure) return thrown.message;
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
}

/**
 * The whole of a script: an error is told and makes the exit code 1.
 * @param {() => Promise<void>} script
 */
export async function main(script) {
  try {
    await script();
  } catch (error) {
    say(`\n✗ ${told(error)}`);
    process.exitCode = 1;
  }
}
