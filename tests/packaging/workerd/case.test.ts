import { it } from "vitest";
import { App } from "../support/app.ts";
import { note } from "../support/told.ts";

it("workerd", async (context) => {
  const app = await App.install("workerd");
  const options = ["--bundle", "--format=esm", "--conditions=workerd", "--outdir=dist"];
  await app.run("esbuild", "worker.js", ...options, "--loader:.wasm=copy", "--asset-names=[name]");
  const site = await app.serve("workerd", ["serve", "workerd.capnp", "--control-fd=1"], /"port":(?<port>\d+)/);
  try {
    const start = performance.now();
    const answer = await (await fetch(site.address)).json();
    // Its clocks stand still while it computes: from the request to its answer is what can be measured.
    note(context, { ...answer, firstQuery: performance.now() - start }, { stored: false, entries: ["workerd.js"] });
  } finally {
    await site.close();
  }
});
