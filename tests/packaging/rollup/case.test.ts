import { cpSync } from "node:fs";
import { beforeAll, it } from "vitest";
import { App } from "../support/app.ts";
import { note } from "../support/told.ts";
import { visitFiles } from "../support/visit.ts";

let app: App;
beforeAll(async () => {
  app = await App.install("rollup", "page");
  await app.run("rollup", "--config");
});

it("Rollup, the module copied beside the bundle", async (context) => {
  cpSync(app.at("node_modules", "tidegate", "dist", "generated"), app.at("dist", "generated"), { recursive: true });
  cpSync(app.at("index.html"), app.at("dist", "index.html"));
  note(context, await visitFiles(app.at("dist")), { stored: true });
});

it("Rollup, tidegate/inline", async (context) => {
  cpSync(app.at("inline.html"), app.at("dist", "index.html"));
  note(context, await visitFiles(app.at("dist")), { stored: true });
});
