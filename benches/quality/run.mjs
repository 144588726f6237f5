// Measures how well Tidegate ranks what people of MovieLens-100K like next, beside plain methods, and prints one table.
// `npm run bench:quality` at the root builds what this needs first.
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { main, say } from "../../tools/lib/run.mjs";
import { split } from "./lib/data.mjs";
import { movieLens } from "./lib/fetch.mjs";
import { methods } from "./lib/methods.mjs";
import { interval, mean, ndcg, recall } from "./lib/metrics.mjs";
import { markdown, printed } from "./lib/table.mjs";
import { tune } from "./lib/tune.mjs";

const { values } = parseArgs({
  options: { validation: { type: "boolean", default: false }, tune: { type: "boolean", default: false } },
});

await main(async () => {
  const data = await movieLens();
  const whole = split(data.ratings);
  // The validation split is cut from what is known, so that what is tuned there has not seen a single answer.
  const inner = values.validation || values.tune;
  const parts = inner ? split(whole.people.map(({ train }) => train)) : whole;
  say(`${parts.asked.length} users are asked${inner ? ", within their training parts" : ""}`);
  const { references, product, vectors } = methods(data, parts);
  if (values.tune) return tune(data, parts, vectors, say);
  const all = [...references, ...product.map((method) => ({ ...method, title: `Tidegate: ${method.title}` }))];
  /** @type {import("./lib/table.mjs").Result[]} */
  const results = [];
  for (const { title, bar, rankings } of all) {
    const found = await rankings();
    const gains = found.map((ranking, place) => ndcg(ranking, parts.asked[place].liked));
    const recalls = found.map((ranking, place) => recall(ranking, parts.asked[place].liked));
    results.push({ title, ndcg: mean(gains), interval: interval(gains), recall: mean(recalls), bar });
  }
  // Bars are set on the test split.
  const shown = values.validation ? results.map((result) => ({ ...result, bar: undefined })) : results;
  say(`\n${printed(shown)}\n`);
  const name = values.validation ? "validation" : "test";
  const folder = fileURLToPath(new URL("results/", import.meta.url));
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    `${folder}${name}.json`,
    `${JSON.stringify({ asked: parts.asked.length, results: shown }, undefined, 1)}\n`,
  );
  writeFileSync(`${folder}${name}.md`, `${markdown(shown)}\n`);
  const missed = shown.filter((result) => result.bar !== undefined && result.ndcg < result.bar).length;
  const met = shown.filter((result) => result.bar !== undefined).length - missed;
  say(`bars: ${met} passed, ${missed} failed`);
  if (missed > 0) process.exitCode = 1;
});
