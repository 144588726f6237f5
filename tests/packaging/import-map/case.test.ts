import { it } from "vitest";
import { App } from "../support/app.ts";
import { note } from "../support/told.ts";
import { visitFiles } from "../support/visit.ts";

it("a plain page, an import map, no build", async (context) => {
  const app = await App.install("import-map", "page");
  note(context, await visitFiles(app.folder), { stored: true });
});
