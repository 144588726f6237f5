// npm run example: builds the package where needed and runs the examples, of the package in Node and of the crate.
import { buildBindings } from "./lib/bindings.mjs";
import { needPackages } from "./lib/needs.mjs";
import { examples } from "./lib/project.mjs";
import { main, run } from "./lib/run.mjs";
import { buildWasm } from "./lib/wasm.mjs";

await main(async () => {
  await needPackages();
  await buildWasm();
  await buildBindings();
  for (const [command, args] of examples) await run(command, args, { live: true, title: "an example" });
});
