import { cpSync, statSync } from "node:fs";
import { beforeAll, expect, it } from "vitest";
import { App } from "../support/app.ts";
import { note } from "../support/told.ts";
import { visitFiles } from "../support/visit.ts";

let app: App;
beforeAll(async () => {
  app = await App.install("esbuild", "page");
  const options = ["--bundle", "--minify", "--format=esm", "--outdir=dist", "--loader:.wasm=file"];
  await app.run("esbuild", "main.js", "inline.js", ...options);
});

it("esbuild, tidegate/wasm as a file", async (context) => {
  cpSync(app.at("index.html"), app.at("dist", "index.html"));
  note(context, await visitFiles(app.at("dist")), { stored: true });
});

it("esbuild, tidegate/inline", async (context) => {
  cpSync(app.at("inline.html"), app.at("dist", "index.html"));
  note(context, await visitFiles(app.at("dist")), { stored: true });
});

it("esbuild, one CommonJS file for Node", async (context) => {
  await app.run("esbuild", "node.js", "--bundle", "--platform=node", "--format=cjs", "--outfile=alone/node.cjs");
  note(context, await app.answer("node", "alone/node.cjs"), { stored: true, entries: ["inline.js", "node.js"] });
});

it("esbuild, what is not used is left out", async () => {
  await app.run("esbuild", "error.js", "--bundle", "--minify", "--format=esm", "--outfile=alone/error.mjs");
  expect((await app.run("node", "alone/error.mjs")).trim()).toBe("Closed");
  expect(statSync(app.at("alone", "error.mjs")).size).toBeLessThan(4_000);
});
