// npm run bench: builds the package, installs the peers that it is compared with (into benches/peers alone), and measures them
// side by side. benches/peers/README.md says what and how; `--quick` for a rough look, `--only <words>` for a part.
import { buildBindings } from "./lib/bindings.mjs";
import { needPackages } from "./lib/needs.mjs";
import { at } from "./lib/project.mjs";
import { main, run } from "./lib/run.mjs";
import { fingerprint, once } from "./lib/stamps.mjs";
import { buildWasm } from "./lib/wasm.mjs";

const peers = at("benches", "peers");

async function needPeers() {
  const inputs = ["package.json", "package-lock.json", ".npmrc"].map((file) => at("benches", "peers", file));
  const installed = [at("benches", "peers", "node_modules", ".package-lock.json")];
  await once("peers", fingerprint(inputs), installed, async () => {
    await run("npm", ["ci", "--no-audit", "--no-fund"], { title: "npm ci: installing the peers", cwd: peers });
  });
}

await main(async () => {
  await needPackages();
  await buildWasm();
  await buildBindings();
  await needPeers();
  const args = [at("benches", "peers", "run.mjs"), ...process.argv.slice(2)];
  await run(process.execPath, args, { title: "the measurements", live: true });
});
