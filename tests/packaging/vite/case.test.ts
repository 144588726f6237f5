import { beforeAll, it } from "vitest";
import { App } from "../support/app.ts";
import { note } from "../support/told.ts";
import { visit, visitFiles } from "../support/visit.ts";

let app: App;
beforeAll(async () => {
  app = await App.install("vite", "page");
});

it("Vite, dev server", async (context) => {
  const server = await app.serve("vite", "--port", "4380");
  try {
    note(context, await visit(server.address), { stored: true });
  } finally {
    await server.close();
  }
});

it("Vite, build", async (context) => {
  await app.run("vite", "build");
  note(context, await visitFiles(app.at("dist")), { stored: true });
});
