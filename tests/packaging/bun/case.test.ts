import { beforeAll, it } from "vitest";
import { App } from "../support/app.ts";
import { note } from "../support/told.ts";

let app: App;
beforeAll(async () => {
  app = await App.install("bun");
});

it("Bun", async (context) => {
  note(context, await app.answer("bun", "run", "src/memory.ts"), { stored: false, entries: ["inline.js"] });
});

it("Bun, files", async (context) => {
  note(context, await app.answer("bun", "run", "src/files.ts"), { stored: true, entries: ["inline.js", "node.js"] });
});

it("Bun, bundled into one file with tidegate/inline", async (context) => {
  await app.run("bun", "build", "src/inline.ts", "--target=bun", "--outfile=out/app.js");
  note(context, await app.answer("bun", "run", "out/app.js"), { stored: false, entries: ["inline.js"] });
});
