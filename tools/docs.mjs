// npm run docs: the reference of the TypeScript API and that of the crate. `npm run check` makes both, too.
import { join } from "node:path";
import { docsFolder, rustdoc, typedoc } from "./lib/docs.mjs";
import { needCargo, needPackages, needTool, needWasmTarget } from "./lib/needs.mjs";
import { main, say } from "./lib/run.mjs";
import { runSteps } from "./lib/steps.mjs";

await main(async () => {
  await needPackages();
  await needCargo();
  await needWasmTarget();
  await needTool("wasm-bindgen");
  await runSteps([typedoc, rustdoc]);
  if (process.exitCode) return;
  const folder = await docsFolder();
  say(`\n${join(folder, "typescript", "index.html")}\n${join(folder, "tidegate", "index.html")}`);
});
