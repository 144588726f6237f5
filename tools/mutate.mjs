// Whether the simulation has teeth: `node tools/mutate.mjs [histories] [words]` makes each of the mistakes in
// tools/mutations/simulation.mjs in a copy of the crate, one at a time, and demands that the simulation finds it within so
// many histories (3000). With words, only mistakes whose name has them are made. Takes a good half minute for each.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { mutations } from "./mutations/simulation.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const [histories = "3000", words = ""] = process.argv.slice(2);
/** What the simulation is built from. */
const parts = ["Cargo.toml", "Cargo.lock", "src", "tests", "benches"];
/** A mistake may end in a loop that does not end, which is found as well. */
const patience = 600_000;

const copy = mkdtempSync(join(tmpdir(), "tidegate-mutations-"));

/** @param {string[]} args */
function cargo(...args) {
  const env = {
    ...process.env,
    CARGO_TARGET_DIR: join(copy, "target"),
    RUST_BACKTRACE: "0",
    TIDEGATE_HISTORIES: histories,
  };
  return spawnSync("cargo", args, { cwd: copy, env, encoding: "utf8", timeout: patience, maxBuffer: 1 << 28 });
}

/**
 * What the simulation says: null where it passes.
 * @returns {string | null}
 */
function play() {
  const test = ["test", "--quiet", "--test", "simulation"];
  const built = cargo(...test, "--no-run");
  if (built.status !== 0) throw new Error(`it does not build:\n${built.stderr}`);
  const played = cargo(...test);
  if (played.status === 0) return null;
  if (played.error !== undefined) return "does not end";
  const [, seed, failure] = /TIDEGATE_SEED=(\d+) .*\n(.*)/.exec(played.stdout + played.stderr) ?? [];
  return seed === undefined ? "fails" : `${seed.padStart(4)}  ${failure}`;
}

/** @param {import("./mutations/simulation.mjs").Mutation} mutation */
function attempt({ file, find, put }) {
  const path = join(copy, file);
  const text = readFileSync(path, "utf8");
  const found = text.split(find).length - 1;
  if (found !== 1) return { caught: false, says: `its text is in ${file} ${found} times: the list is out of date` };
  // A function, since a text may have `$` in it.
  writeFileSync(
    path,
    text.replace(find, () => put),
  );
  try {
    const says = play();
    return { caught: says !== null, says: says ?? `not found in ${histories} histories` };
  } catch (error) {
    return { caught: false, says: String(error) };
  } finally {
    writeFileSync(path, text);
  }
}

let survivors = 0;
try {
  for (const part of parts) cpSync(join(root, part), join(copy, part), { recursive: true });
  const unchanged = play();
  if (unchanged !== null) throw new Error(`without a mistake: ${unchanged}`);
  const chosen = mutations.filter(({ name }) => name.includes(words));
  for (const mutation of chosen) {
    const start = Date.now();
    const { caught, says } = attempt(mutation);
    if (!caught) survivors++;
    const seconds = `${Math.round((Date.now() - start) / 1000)} s`.padStart(6);
    console.log(
      `${caught ? "caught  " : "SURVIVED"} ${seconds}  ${mutation.name}\n                  ${caught ? says.slice(0, 100) : says}`,
    );
  }
  console.log(`${chosen.length - survivors} of ${chosen.length} mistakes are caught`);
} catch (error) {
  survivors++;
  console.error(error instanceof Error ? error.message : error);
} finally {
  rmSync(copy, { recursive: true, force: true });
}
process.exitCode = survivors === 0 ? 0 : 1;
