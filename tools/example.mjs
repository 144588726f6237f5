// npm run example: builds the package where needed and runs the examples in Node.
import { buildBindings } from "./lib/bindings.mjs";
import { needPackages } from "./lib/needs.mjs";
import { examples } from "./lib/project.mjs";
import { main, run } from "./lib/run.mjs";
import { buildWasm } from "./lib/wasm.mjs";

await main(async () => {
  await needPackages();
  await buildWasm();
  await buildBindings();
  for (const example of examples) await run(process.execPath, [example], { live: true, title: "an example" });
});
