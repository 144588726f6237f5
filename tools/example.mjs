// npm run example: builds the package where needed and runs the life cycle of examples/lifecycle.mjs in Node.
import { buildBindings } from "./lib/bindings.mjs";
import { needPackages } from "./lib/needs.mjs";
import { at } from "./lib/project.mjs";
import { main, run } from "./lib/run.mjs";
import { buildWasm } from "./lib/wasm.mjs";

await main(async () => {
  await needPackages();
  await buildWasm();
  await buildBindings();
  await run(process.execPath, [at("examples", "lifecycle.mjs")], { live: true, title: "the example" });
});
