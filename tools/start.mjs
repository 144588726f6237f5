// npm start: installs what is missing, builds, serves the page of www/ on localhost, and follows changes.
import { parseArgs } from "node:util";
import { buildBindings } from "./lib/bindings.mjs";
import { needPackages } from "./lib/needs.mjs";
import { servePage } from "./lib/page.mjs";
import { rebuildOnChange } from "./lib/rebuild.mjs";
import { Failure, main, say } from "./lib/run.mjs";
import { buildWasm } from "./lib/wasm.mjs";

await main(async () => {
  const { values } = parseArgs({ options: { port: { type: "string", default: "5173" } } });
  const port = Number(values.port);
  if (!(port > 0 && port < 65_536)) throw new Failure(`--port ${values.port}: no such port`);
  await needPackages();
  await buildWasm();
  await buildBindings();
  const { address, watcher } = await servePage({ port, watch: true });
  rebuildOnChange(watcher);
  endWithNpm();
  say(`\nTidegate's page is at ${address}\nIt follows changes in src/, js/ and www/. Ctrl-C ends it.`);
});

/** A signal sent to npm, rather than typed at the terminal, does not reach what npm runs. */
function endWithNpm() {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.exit();
  }, 1000).unref();
}
