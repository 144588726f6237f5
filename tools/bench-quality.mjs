// npm run bench:quality: builds the package and measures how well it ranks real data, beside plain methods.
// benches/quality/README.md says what and how.
import { buildBindings } from "./lib/bindings.mjs";
import { needPackages } from "./lib/needs.mjs";
import { at } from "./lib/project.mjs";
import { main, run } from "./lib/run.mjs";
import { buildWasm } from "./lib/wasm.mjs";

await main(async () => {
  await needPackages();
  await buildWasm();
  await buildBindings();
  const args = [at("benches", "quality", "run.mjs"), ...process.argv.slice(2)];
  await run(process.execPath, args, { title: "the measurements", live: true });
});
