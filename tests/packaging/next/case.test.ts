import { afterAll, beforeAll, it } from "vitest";
import { App } from "../support/app.ts";
import type { Site } from "../support/site.ts";
import { note } from "../support/told.ts";
import { visit } from "../support/visit.ts";

let site: Site;
beforeAll(async () => {
  const app = await App.install("next");
  await app.run("next", "build");
  site = await app.serve("next", ["start", "--hostname", "localhost", "--port", "0"]);
});
afterAll(() => site?.close());

it("Next.js, build, server component", async (context) => {
  const start = performance.now();
  const page = await (await fetch(site.address)).text();
  const firstQuery = performance.now() - start;
  const answer = /<pre>(.*?)<\/pre>/s.exec(page)?.[1] ?? "";
  note(
    context,
    { ...JSON.parse(answer.replaceAll("&quot;", '"')), firstQuery },
    { stored: false, entries: ["inline.js"] },
  );
});

it("Next.js, build, client component", async (context) => {
  note(context, await visit(site.address), { stored: true });
});
