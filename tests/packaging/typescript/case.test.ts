import { beforeAll, describe, it } from "vitest";
import { App } from "../support/app.ts";
import { note } from "../support/told.ts";

let app: App;
beforeAll(async () => {
  app = await App.install("typescript");
});

describe.each([
  ["5.9", "typescript-5"],
  ["7.0", "typescript"],
])("TypeScript %s", (version, name) => {
  it(`TypeScript ${version}, moduleResolution node16`, async (context) => {
    await app.run("node", app.at("node_modules", name, "bin", "tsc"), "-p", "tsconfig.node16.json");
    const answer = await app.answer("node", "out/src/main.js", `data-${version}`);
    note(context, answer, { stored: true, entries: ["inline.js", "node.js"] });
  });

  it.each([
    ["bundler", "bundler"],
    ["bundler, without Node's types", "page"],
  ])(`TypeScript ${version}, moduleResolution %s`, (_, config) =>
    app.run("node", app.at("node_modules", name, "bin", "tsc"), "-p", `tsconfig.${config}.json`),
  );
});
