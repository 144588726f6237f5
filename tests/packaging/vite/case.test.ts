import { afterAll, beforeAll, describe, it } from "vitest";
import { App } from "../support/app.ts";
import { type Site, serve } from "../support/site.ts";
import { note } from "../support/told.ts";
import { visit } from "../support/visit.ts";

let app: App;
beforeAll(async () => {
  app = await App.install("vite", "page");
});

const ways = {
  "dev server": () => app.serve("vite", ["--port", "4380"]),
  build: async () => {
    await app.run("vite", "build");
    return serve(app.at("dist"));
  },
};

describe.each(Object.entries(ways))("Vite, %s", (name, start) => {
  let site: Site;
  beforeAll(async () => {
    site = await start();
  });
  afterAll(() => site?.close());

  it(`Vite, ${name}`, async (context) => {
    note(context, await visit(site.address), { stored: true });
  });

  it(`Vite, ${name}, module worker`, async (context) => {
    note(context, await visit(`${site.address}worker.html`), { stored: true });
  });
});
