// npm run release: all of a release but the upload. Both packages come to lie in release/, with a record of what they were
// built from and with; then it says how to upload them.
// With --dry-run, what only a release must have may be missing: a clean tree, an entry of its own in the change log, the
// advisories of the day, and its own run of all tests.
import { copyFileSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { advisories } from "./lib/advisories.mjs";
import { buildBindings } from "./lib/bindings.mjs";
import { needPackages } from "./lib/needs.mjs";
import { at } from "./lib/project.mjs";
import { provenance } from "./lib/provenance.mjs";
import { attempt, main, run, say } from "./lib/run.mjs";
import { runSteps } from "./lib/steps.mjs";
import { buildWasm, targetDirectory } from "./lib/wasm.mjs";

const dry = process.argv.includes("--dry-run");
const folder = at("release");
const { version } = JSON.parse(readFileSync(at("pkg", "package.json"), "utf8"));
const packs = [`tidegate-${version}.tgz`, `tidegate-${version}.crate`];

/** What a release must have, each as what is missing, if anything. */
async function lacking() {
  const cargo = /^version = "(.*)"$/m.exec(readFileSync(at("Cargo.toml"), "utf8"))?.[1];
  const changes = readFileSync(at("CHANGELOG.md"), "utf8");
  const changed = (await run("git", ["status", "--porcelain"], { silent: true })).trim();
  return {
    always: cargo === version ? [] : [`the crate is ${cargo}, the package ${version}`],
    releasing: [
      ...(changes.includes(`\n## ${version}`) ? [] : [`CHANGELOG.md has no entry for ${version}`]),
      ...(changed === "" ? [] : [`the tree has changes:\n${changed}`]),
    ],
  };
}

/** @param {string} script */
const npm = (script) => ({
  name: script,
  title: `npm run ${script}`,
  run: () => attempt("npm", ["run", script], { live: true, env: { CI: "true" } }),
});

const steps = [
  {
    name: "versions",
    title: "what a release must have",
    run: async () => {
      const { always, releasing } = await lacking();
      for (const what of [...always, ...releasing]) say(what);
      return { ok: always.length === 0 && (dry || releasing.length === 0) };
    },
  },
  {
    name: "advisories",
    title: "npm audit, cargo deny check advisories",
    run: async () => {
      const found = await advisories();
      for (const { tool, says } of found) say(`${tool}: ${says}`);
      return { ok: found.every(({ says }) => says === "clean" || (dry && says === "unreachable")) };
    },
  },
  ...(dry ? [] : [npm("check"), npm("test")]),
  {
    name: "pack",
    title: "npm pack, cargo package",
    run: async () => {
      await buildWasm();
      await buildBindings();
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder);
      await run("npm", ["pack", at("pkg"), "--pack-destination", folder], { title: "npm pack" });
      await run("cargo", ["package", "--locked", ...(dry ? ["--allow-dirty"] : [])], { title: "cargo package" });
      const crate = packs[1] ?? "";
      copyFileSync(join(await targetDirectory(), "package", crate), join(folder, crate));
      return { ok: true };
    },
  },
  {
    name: "provenance",
    title: "what it was built from and with",
    run: async () => {
      say(await provenance(folder, packs, version));
      return { ok: true };
    },
  },
];

await main(async () => {
  await needPackages();
  await runSteps(steps);
  if (process.exitCode) return;
  say(
    `\nTo upload: npm publish release/${packs[0]} and cargo publish --locked${dry ? ", after a run that is not dry" : ""}.`,
  );
});
