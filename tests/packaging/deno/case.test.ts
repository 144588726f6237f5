import { beforeAll, it } from "vitest";
import { App } from "../support/app.ts";
import { note } from "../support/told.ts";

let app: App;
beforeAll(async () => {
  app = await App.install("deno");
});

it("Deno, no permission", async (context) => {
  const answer = await app.answer("deno", "run", "--no-prompt", "src/memory.ts");
  note(context, answer, { stored: false, entries: ["inline.js"] });
});

it("Deno, files", async (context) => {
  const answer = await app.answer("deno", "run", "--no-prompt", "--allow-read=.", "--allow-write=.", "src/files.ts");
  note(context, answer, { stored: true, entries: ["inline.js", "node.js"] });
});

it("Deno, types", () => app.run("deno", "check", "src/memory.ts", "src/files.ts"));
