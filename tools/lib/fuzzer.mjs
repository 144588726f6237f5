// Builds and runs the coverage-guided fuzzer of fuzz/: libFuzzer, with what Rust's stable compiler has for it.
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { aptInstall, hasApt, needCargo } from "./needs.mjs";
import { at, root } from "./project.mjs";
import { attempt, Failure, run } from "./run.mjs";
import { locked, targetDirectory } from "./wasm.mjs";

/**
 * The targets, with how many inputs each is given in `npm test`: some ten seconds' worth. A number of inputs and not a
 * time, so that every run is the same.
 * @type {Record<string, number>}
 */
export const targets = {
  snapshot: 60_000,
  row: 20_000,
  export: 50_000,
  cursor: 10_000,
  checkpoint: 300_000,
  calls: 4_000,
};

// The crate forbids unsafe code, so there is nothing for a sanitizer to find, and only those need a nightly compiler.
const instrumented = [
  "-Cpasses=sancov-module",
  "-Cllvm-args=-sanitizer-coverage-level=4",
  "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
  "-Cllvm-args=-sanitizer-coverage-pc-table",
  "-Cllvm-args=-sanitizer-coverage-trace-compares",
  "--cfg=fuzzing",
];

// An input is a few hundred bytes as a rule, and takes milliseconds and a few megabytes. What a single call may take of
// memory is checked by the targets themselves, far more tightly.
const limits = ["-max_len=8192", "-len_control=100", "-timeout=10", "-rss_limit_mb=512"];

/** @param {string} target */
const corpus = (target) => at("tests", "fuzz", "corpus", target);

const workplace = async () => join(await targetDirectory(), "fuzz");

/**
 * Where the inputs of longer runs are kept, for the next one to go on from.
 * @param {string} target
 */
const found = async (target) => join(await workplace(), "found", target);

/** libFuzzer comes as C++. */
export async function needFuzzer() {
  await needCargo();
  const compiler = process.env.CXX || "c++";
  const works = async () => (await attempt(compiler, ["--version"], { silent: true })).ok;
  if (await works()) return;
  if (hasApt()) await aptInstall(["g++"]);
  if (!(await works())) {
    throw new Failure(`The fuzzer needs a C++ compiler, and ${compiler} is none. Install one, then run this again:
  Debian:   sudo apt-get install -y g++
  macOS:    xcode-select --install
  others:   g++ or clang++, called c++ on PATH or named by CXX`);
  }
}

/** Builds the fuzzer and gives its path. */
export async function buildFuzzer() {
  const host = (await run("rustc", ["-vV"], { silent: true })).match(/^host: (.+)$/m)?.[1];
  if (!host) throw new Failure("rustc -vV names no host");
  // With a target named, build scripts and macros are built without the instruments.
  const args = ["build", "--release", "--manifest-path", at("fuzz", "Cargo.toml"), "--target", host];
  await run("cargo", [...args, "--target-dir", await workplace(), ...locked], {
    title: "cargo build: the fuzzer",
    env: { RUSTFLAGS: instrumented.join(" ") },
  });
  return join(await workplace(), host, "release", "tidegate-fuzz");
}

/**
 * The same inputs every time, none of them kept.
 * @param {string} program
 * @param {string} target
 */
export async function fuzzBriefly(program, target) {
  const fresh = mkdtempSync(join(tmpdir(), "tidegate-fuzz-"));
  try {
    // Values that were compared are no hint to it here: addresses are among them, and they are others in every run. The
    // time is for a machine that is too slow for that many.
    const effort = [`-runs=${targets[target]}`, "-use_cmp=0", "-max_total_time=60"];
    return await fuzz(program, target, fresh, effort);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/**
 * Other inputs every time, beginning with what was found before.
 * @param {string} program
 * @param {string} target
 * @param {number} seconds
 */
export async function fuzzFor(program, target, seconds) {
  const seed = 1 + Math.floor(Math.random() * 0x7fff_fffe);
  return fuzz(program, target, await found(target), [`-seed=${seed}`, `-max_total_time=${seconds}`]);
}

/**
 * Whether a target holds; if not, why, and how to run what it fails on again.
 * @param {string} program
 * @param {string} target
 * @param {string} into where inputs that reach something new go
 * @param {string[]} effort
 */
async function fuzz(program, target, into, effort) {
  const failures = join(await workplace(), "failures");
  for (const folder of [into, failures]) mkdirSync(folder, { recursive: true });
  const settings = ["-seed=1", ...limits, ...effort, `-artifact_prefix=${join(failures, target)}-`];
  const { ok, output } = await libFuzzer(program, target, [...settings, into, corpus(target)]);
  if (ok) return { ok, says: output.match(/^#\d+\s+DONE\s+(.+)$/m)?.[0] ?? "" };
  const why = output.match(/panicked at .+\n.+/)?.[0] ?? output.match(/^.*ERROR: .+$/m)?.[0] ?? output.slice(-2_000);
  const input = output.match(/Test unit written to (.+)$/m)?.[1];
  const again = input ? `\n  it fails on ${input}\n  again: npm run fuzz -- ${target} ${relative(root, input)}` : "";
  return { ok, says: `${why}${again}` };
}

/**
 * One input, with all that is said of it.
 * @param {string} program
 * @param {string} target
 * @param {string} file
 */
export const replay = (program, target, file) => libFuzzer(program, target, [...limits, file], true);

/** Larger inputs are not kept: the tree is cloned by everyone, and what they reach is found again from the others. */
const keptBytes = 640;

/**
 * Makes the kept corpus anew of itself and what was found: the fewest small inputs that reach every place in the code that
 * those reach. An input that somebody gave a name stays.
 * @param {string} program
 * @param {string} target
 */
export async function keep(program, target) {
  const work = mkdtempSync(join(tmpdir(), "tidegate-fuzz-"));
  const [kept, choice] = [join(work, "kept"), join(work, "choice")];
  try {
    for (const folder of [kept, choice, await found(target)]) mkdirSync(folder, { recursive: true });
    for (const folder of [corpus(target), await found(target)]) {
      for (const name of readdirSync(folder)) {
        const file = join(folder, name);
        if (!isUnnamed(name)) copyFileSync(file, join(kept, name));
        else if (statSync(file).size <= keptBytes) copyFileSync(file, join(choice, name));
      }
    }
    // By places alone: to tell how often each is passed would take thousands of inputs.
    const settings = ["-set_cover_merge=1", "-use_counters=0", ...limits];
    const { ok, output } = await libFuzzer(program, target, [...settings, kept, choice]);
    if (!ok) throw new Failure(`the corpus of ${target} could not be merged\n${output.slice(-2_000)}`);
    for (const name of readdirSync(corpus(target)).filter(isUnnamed)) rmSync(join(corpus(target), name));
    for (const name of readdirSync(kept)) copyFileSync(join(kept, name), join(corpus(target), name));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * libFuzzer calls an input by its checksum.
 * @param {string} name
 */
const isUnnamed = (name) => /^[0-9a-f]{40}$/.test(name);

/**
 * @param {string} program
 * @param {string} target
 * @param {string[]} args
 * @param {boolean} [live]
 */
function libFuzzer(program, target, args, live = false) {
  return attempt(program, args, { title: `fuzz ${target}`, live, env: { TIDEGATE_FUZZ_TARGET: target } });
}
