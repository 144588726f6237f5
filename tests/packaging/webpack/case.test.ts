import { cpSync } from "node:fs";
import { it } from "vitest";
import { App } from "../support/app.ts";
import { note } from "../support/told.ts";
import { visitFiles } from "../support/visit.ts";

it("webpack", async (context) => {
  const app = await App.install("webpack", "page");
  await app.run("webpack");
  cpSync(app.at("index.html"), app.at("dist", "index.html"));
  note(context, await visitFiles(app.at("dist")), { stored: true });
});

it("webpack, target node", async (context) => {
  const app = await App.install("webpack", "page");
  await app.run("webpack", "--config", "webpack.node.config.js");
  note(context, await app.answer("node", "dist/node.cjs"), { stored: true, entries: ["inline.js", "node.js"] });
});
