import { it } from "vitest";
import { App } from "../support/app.ts";
import { note } from "../support/told.ts";

it("Node, CommonJS, `await import`, files", async (context) => {
  const app = await App.install("node-cjs");
  note(context, await app.answer("node", "main.js"), { stored: true, entries: ["inline.js", "node.js"] });
});

// Since 20.19 and 22.12, which is what the tests need anyway.
it("Node, CommonJS, `require`", async (context) => {
  const app = await App.install("node-cjs");
  note(context, await app.answer("node", "require.js"), { stored: false, entries: ["inline.js"] });
});
