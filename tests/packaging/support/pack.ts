// Packs the package once for all cases, as `npm publish` would.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { at, cache, root } from "../../../tools/lib/project.mjs";
import { run } from "../../../tools/lib/run.mjs";

declare module "vitest" {
  interface ProvidedContext {
    /** The tarball. Its name is that of its content, so that npm installs another one anew. */
    tarball: string;
  }
}

/**
 * Where cases are installed, which is kept: outside every project, as a stranger's app is. Below node_modules compilers and
 * bundlers take an app for a library, and below this checkout they would find its packages.
 */
export const installs = join(cache, "packaging", createHash("sha256").update(root).digest("hex").slice(0, 16));

export default async function setup(project: TestProject): Promise<void> {
  const packs = join(installs, ".packs");
  rmSync(packs, { recursive: true, force: true });
  mkdirSync(packs, { recursive: true });
  const packed = await run("npm", ["pack", at("pkg"), "--json", "--pack-destination", packs], { silent: true });
  const [{ filename }] = JSON.parse(packed);
  const made = join(packs, filename);
  const hash = createHash("sha256").update(readFileSync(made)).digest("hex").slice(0, 16);
  const tarball = join(packs, `tidegate-${hash}.tgz`);
  renameSync(made, tarball);
  project.provide("tarball", tarball);
}
