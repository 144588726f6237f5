// Installs what is missing: npm packages, the wasm32 target, Rust components, tools built by cargo.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { at, cargoTools, toolCache, toolHome, wasmTarget } from "./project.mjs";
import { attempt, Failure, run, say } from "./run.mjs";
import { fingerprint, once } from "./stamps.mjs";

/** Vite needs these releases of Node. */
export function needNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const fits = (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22;
  if (!fits) {
    throw new Failure(`Node ${process.versions.node} is too old: 20.19 or newer, or 22.12 or newer`);
  }
}

/** `npm ci` unless it was done for this lock file already. */
export async function needPackages() {
  needNode();
  const inputs = ["package.json", "package-lock.json", "pkg/package.json"].map((file) => at(file));
  const print = fingerprint(inputs, [process.platform, process.arch]);
  // The stamp lies inside node_modules, which npm ci empties first.
  await once("npm", print, [at("node_modules", ".package-lock.json")], async () => {
    const npm = process.env.npm_execpath;
    const [command, args] = npm?.endsWith("npm-cli.js") ? [process.execPath, [npm]] : ["npm", []];
    await run(command, [...args, "ci", "--no-audit", "--no-fund"], {
      title: "npm ci: installing the packages of package-lock.json",
    });
  });
}

/**
 * `npm ci` in a folder that has a lock file of its own, so that what it needs stays away from all else.
 * @param {string} name of the stamp
 * @param {string} home
 * @param {string} what is installed, in words
 */
export async function needPackagesOf(name, home, what) {
  const inputs = ["package.json", "package-lock.json", ".npmrc"].map((file) => join(home, file));
  await once(name, fingerprint(inputs), [join(home, "node_modules", ".package-lock.json")], async () => {
    await run("npm", ["ci", "--no-audit", "--no-fund"], { title: `npm ci: installing ${what}`, cwd: home });
  });
}

/** Whether packages can be installed here without asking anybody: on Debian, as root. */
export function hasApt() {
  const release = "/etc/os-release";
  const debian = existsSync(release) && /^ID=debian$/m.test(readFileSync(release, "utf8"));
  return debian && process.getuid?.() === 0;
}

/** @param {string[]} packages Debian's names */
export async function aptInstall(packages) {
  const apt = ["-q", "-o", "DPkg::Lock::Timeout=300"];
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  await run("apt-get", [...apt, "update"], { title: "apt-get update", env });
  await run("apt-get", [...apt, "install", "-y", "--no-install-recommends", ...packages], {
    title: `apt-get install: ${packages.join(" ")}`,
    env,
  });
}

/** Cargo itself cannot be installed for the user: that is rustup's business. */
export async function needCargo() {
  const { ok } = await attempt("cargo", ["--version"], { silent: true });
  if (!ok) throw new Failure("cargo is missing: install Rust with rustup (https://rustup.rs)");
}

export async function needWasmTarget() {
  await needCargo();
  const sysroot = (await run("rustc", ["--print", "sysroot"], { silent: true })).trim();
  if (existsSync(join(sysroot, "lib", "rustlib", wasmTarget, "lib"))) return;
  await rustup(["target", "add", wasmTarget], `Rust's ${wasmTarget} target`);
}

export async function needRustComponents() {
  await needCargo();
  const commands = { rustfmt: "fmt", clippy: "clippy" };
  for (const [component, command] of Object.entries(commands)) {
    const { ok } = await attempt("cargo", [command, "--version"], { silent: true });
    if (!ok) await rustup(["component", "add", component], component);
  }
}

/**
 * @param {string[]} args
 * @param {string} what
 */
async function rustup(args, what) {
  const { ok } = await attempt("rustup", ["--version"], { silent: true });
  if (!ok) {
    throw new Failure(`${what} is missing and there is no rustup to add it: rustup ${args.join(" ")}`);
  }
  await run("rustup", args, { title: `rustup: installing ${what}` });
}

/**
 * Builds a tool with cargo unless it is there in the right version, in the cache or on PATH. It is built in a folder
 * of its own and renamed when complete, so that a broken off installation is never taken for a tool.
 * @param {keyof typeof cargoTools} name
 */
export async function needTool(name) {
  await needCargo();
  const tool = cargoTools[name];
  if (await isThere(tool)) return;
  const home = toolHome(tool);
  mkdirSync(toolCache, { recursive: true });
  removeAbandoned();
  const building = join(toolCache, `.building-${process.pid}-${tool.crate}`);
  try {
    // Unoptimised: it builds in a quarter of the time, and what it works on is small. Not --locked: a locked version may
    // be withdrawn. From the cache folder, so that no setting of this checkout's takes part.
    const args = ["install", tool.crate, "--version", tool.version, ...tool.flags, "--debug"];
    await run("cargo", [...args, "--root", building], {
      title: `cargo install: building ${tool.crate} ${tool.version} (once, some minutes)`,
      cwd: toolCache,
    });
    // Another clone may have been quicker.
    if (await isThere(tool)) return;
    rmSync(home, { recursive: true, force: true });
    renameSync(building, home);
  } finally {
    rmSync(building, { recursive: true, force: true });
  }
  if (!(await isThere(tool))) throw new Failure(`${tool.crate} ${tool.version} was built but does not start`);
  say(`  kept in ${dirname(home)}`);
}

/** @param {import("./project.mjs").CargoTool} tool */
async function isThere(tool) {
  for (const program of tool.programs) {
    const { output, ok } = await attempt(program, ["--version"], { silent: true });
    if (!ok || !output.split(/\s/).includes(tool.version)) return false;
  }
  return true;
}

/** Folders of installations whose process is gone. */
function removeAbandoned() {
  for (const name of readdirSync(toolCache)) {
    const pid = Number(name.match(/^\.building-(\d+)-/)?.[1] ?? Number.NaN);
    if (Number.isNaN(pid) || isAlive(pid)) continue;
    rmSync(join(toolCache, name), { recursive: true, force: true });
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
