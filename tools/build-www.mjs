// npm run build:www: the demo page into www/dist/, a folder that any static host can serve, at any path.
import { buildBindings } from "./lib/bindings.mjs";
import { needPackages } from "./lib/needs.mjs";
import { Failure, main, say } from "./lib/run.mjs";
import { budget, buildSite, site, weighSite } from "./lib/site.mjs";
import { buildWasm } from "./lib/wasm.mjs";
import { kilobytes } from "./lib/weigh.mjs";

await main(async () => {
  await needPackages();
  await buildWasm();
  await buildBindings();
  await buildSite();
  const { files, firstLoad, page } = weighSite(site);
  for (const { file, part, bytes, compressed } of files) {
    say(`${file.padEnd(44)} ${part.padEnd(9)} ${kilobytes(bytes).padStart(9)} ${kilobytes(compressed).padStart(9)}`);
  }
  say(
    `A first visit loads ${kilobytes(firstLoad)} after brotli, and the catalogue; ${kilobytes(page)} are the page's own.`,
  );
  if (firstLoad > budget.firstLoad)
    throw new Failure(`the first load is over its budget, ${kilobytes(budget.firstLoad)}`);
  if (page > budget.page) throw new Failure(`the page's own files are over their budget, ${kilobytes(budget.page)}`);
  say("✓ www/dist is up to date");
});
