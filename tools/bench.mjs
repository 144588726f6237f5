// npm run bench: builds the package, installs the peers that it is compared with (into benches/peers alone), and measures them
// side by side. benches/peers/README.md says what and how; `--quick` for a rough look, `--only <words>` for a part.

import { buildBindings, tsc } from "./lib/bindings.mjs";
import { needBrowsers } from "./lib/browsers.mjs";
import { needPackages } from "./lib/needs.mjs";
import { buildNative, needPeers } from "./lib/peers.mjs";
import { at } from "./lib/project.mjs";
import { main, run } from "./lib/run.mjs";
import { buildWasm } from "./lib/wasm.mjs";

await main(async () => {
  await needPackages();
  await buildWasm();
  await buildBindings();
  await needPeers();
  await run(process.execPath, [tsc, "-p", at("benches", "peers")], { title: "tsc: the measurements" });
  const asked = process.argv.slice(2);
  const small = asked.includes("--quick") || asked.includes("--tiny") || asked.includes("--only");
  if (!small || asked.includes("--browsers") || asked.includes("browser")) await needBrowsers();
  const { native, gate } = await buildNative();
  const args = [at("benches", "peers", "run.mjs"), "--native", native, "--gate", gate, ...asked];
  await run(process.execPath, args, { title: "the measurements", live: true });
});
