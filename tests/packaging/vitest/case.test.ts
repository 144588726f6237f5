import { it } from "vitest";
import { App } from "../support/app.ts";

it("Vitest, in Node and in jsdom", async () => {
  const app = await App.install("vitest");
  await app.run("vitest", "run");
});

it("Vitest, in Node and in jsdom, tidegate in server.deps.inline", async () => {
  const app = await App.install("vitest");
  await app.run("vitest", "run", "--config", "vitest.inline.config.js");
});
