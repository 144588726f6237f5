// Gets the data: pip downloads a wheel that has it, which is checked and kept in the user's cache folder. Its licence forbids
// handing it on, so that nothing of it may get into the repository, and it is used by this benchmark alone.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { dataCache } from "../../../tools/lib/project.mjs";
import { attempt, Failure } from "../../../tools/lib/run.mjs";
import { parse } from "./data.mjs";
import { unzipped } from "./zip.mjs";

const PACKAGE = "recbole==1.2.1";
const WHEEL = "recbole-1.2.1-py3-none-any.whl";
const WHEEL_SHA256 = "9c9948202011f37eb0a7c6768129313f00d6403ad221ec940d5e2d5d5f33a407";
const RATINGS_SHA256 = "4edb74e2a81178c2ba9ff381495f754f996c4aea351b1272ca36b43da0935eff";
const FOLDER = "recbole/dataset_example/ml-100k/ml-100k";

/** The ways to call pip. */
const PIPS = [["pip"], ["pip3"], ["python3", "-m", "pip"], ["python", "-m", "pip"]];

/** @param {Buffer} bytes */
const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");

/** The data, downloaded where it is not there yet. */
export async function movieLens() {
  const kept = join(dataCache, WHEEL);
  if (!existsSync(kept) || sha256(readFileSync(kept)) !== WHEEL_SHA256) await download(kept);
  const wheel = readFileSync(kept);
  const ratings = unzipped(wheel, `${FOLDER}.inter`);
  check(ratings, RATINGS_SHA256, `${FOLDER}.inter`);
  const [items, users] = ["item", "user"].map((table) => unzipped(wheel, `${FOLDER}.${table}`).toString("utf8"));
  return parse({ ratings: ratings.toString("utf8"), items, users });
}

/** @param {string} to */
async function download(to) {
  mkdirSync(dataCache, { recursive: true });
  // It gets its name once it is complete and checked.
  const folder = mkdtempSync(join(dataCache, ".downloading-"));
  try {
    const [command, ...args] = await pip();
    const { ok, output } = await attempt(command, [...args, "download", PACKAGE, "--no-deps", "--dest", folder], {
      title: `pip download ${PACKAGE}: MovieLens-100K (once, 2 MB)`,
    });
    if (!ok) throw new Failure(`pip could not download ${PACKAGE}:\n${output.trimEnd()}`);
    const wheel = join(folder, WHEEL);
    check(readFileSync(wheel), WHEEL_SHA256, WHEEL);
    renameSync(wheel, to);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function pip() {
  for (const call of PIPS) {
    const [command, ...args] = call;
    if ((await attempt(command, [...args, "--version"], { silent: true })).ok) return call;
  }
  throw new Failure(`The data comes by pip, and there is none. Install Python with pip, then run this again:
  Debian:   sudo apt-get install -y python3-pip
  macOS:    brew install python
  others:   https://pip.pypa.io/en/stable/installation/`);
}

/**
 * @param {Buffer} bytes
 * @param {string} expected
 * @param {string} what
 */
function check(bytes, expected, what) {
  const found = sha256(bytes);
  if (found !== expected) throw new Failure(`${what} is not the file it should be: sha256 ${found}, not ${expected}`);
}
