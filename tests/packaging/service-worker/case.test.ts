import { it } from "vitest";
import { App } from "../support/app.ts";
import { note } from "../support/told.ts";
import { visitFiles } from "../support/visit.ts";

it("a service worker, no build", async (context) => {
  const app = await App.install("service-worker", "page");
  note(context, await visitFiles(app.folder), { stored: true, entries: ["index.js"] });
});
