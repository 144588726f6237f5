// Remembers from which inputs something was made, so that it is made again only when they change.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { at, root } from "./project.mjs";

/**
 * The names of all files below a folder, relative to it, with forward slashes, in a stable order.
 * @param {string} folder
 */
export function filesIn(folder) {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(join(folder, name)).isFile())
    .map((name) => name.replaceAll("\\", "/"))
    .sort();
}

/**
 * All files below a folder whose names end in one of `ends`, in a stable order.
 * @param {string} folder
 * @param {string[]} ends
 */
export function filesBelow(folder, ends) {
  return filesIn(folder)
    .filter((name) => ends.some((end) => name.endsWith(end)))
    .map((name) => join(folder, name));
}

/**
 * One hash of the names and bytes of files and of words such as versions and flags.
 * @param {string[]} files
 * @param {string[]} [words]
 */
export function fingerprint(files, words = []) {
  const hash = createHash("sha256").update(JSON.stringify(words));
  for (const file of files) {
    const bytes = readFileSync(file);
    hash.update(`\n${relative(root, file)} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest("hex");
}

/**
 * Makes `outputs` by `make` unless they are there and were made from the same inputs.
 * @param {string} name
 * @param {string} print what `fingerprint` says of the inputs
 * @param {string[]} outputs
 * @param {() => Promise<void>} make
 * @returns {Promise<boolean>} whether it was made now
 */
export async function once(name, print, outputs, make) {
  const stamp = at("node_modules", ".cache", "tidegate", name);
  const made = existsSync(stamp) && readFileSync(stamp, "utf8") === print;
  if (made && outputs.every((file) => existsSync(file))) return false;
  rmSync(stamp, { force: true });
  await make();
  for (const file of outputs) {
    if (!existsSync(file)) throw new Error(`${name} did not make ${relative(root, file)}`);
  }
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, print);
  return true;
}
