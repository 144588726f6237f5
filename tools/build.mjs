// npm run build: the WebAssembly module, its glue and the compiled bindings, into js/generated/ and pkg/dist/.
import { buildBindings } from "./lib/bindings.mjs";
import { needPackages } from "./lib/needs.mjs";
import { main, say } from "./lib/run.mjs";
import { buildWasm } from "./lib/wasm.mjs";

await main(async () => {
  await needPackages();
  await buildWasm();
  await buildBindings();
  say("✓ pkg/dist is up to date");
});
