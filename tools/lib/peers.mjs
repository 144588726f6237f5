// What `npm run bench` needs besides the package: the peers, the core as a native program, the gate as a module of its own.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { needPackagesOf } from "./needs.mjs";
import { at, wasmTarget } from "./project.mjs";
import { run } from "./run.mjs";
import { fingerprint, once } from "./stamps.mjs";
import { locked, optimise } from "./wasm.mjs";

const home = at("benches", "peers");
const results = join(home, "results");
const manifest = ["--manifest-path", join(home, "native", "Cargo.toml")];

/** Installs the peers, beside what they are compared with and never into it. */
export const needPeers = () => needPackagesOf("peers", home, "the peers");

/** Builds the native program and the gate's module; where they are. */
export async function buildNative() {
  const metadata = await run("cargo", ["metadata", "--no-deps", "--format-version=1", ...manifest, ...locked], {
    silent: true,
  });
  const target = /** @type {string} */ (JSON.parse(metadata).target_directory);
  const build = ["build", "--release", ...manifest, ...locked];
  await run("cargo", [...build, "--bin", "native"], { title: "cargo build: the core as native code" });
  await run("cargo", [...build, "--lib", "--target", wasmTarget], { title: "cargo build: the gate alone" });
  const built = join(target, wasmTarget, "release", "tidegate_peers.wasm");
  const gate = join(results, "gate.wasm");
  mkdirSync(results, { recursive: true });
  await once("gate", fingerprint([built]), [gate], () => optimise(built, gate));
  const program = process.platform === "win32" ? "native.exe" : "native";
  return { native: join(target, "release", program), gate };
}
