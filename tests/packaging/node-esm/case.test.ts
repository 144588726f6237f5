import { expect, it } from "vitest";
import { App } from "../support/app.ts";
import { note } from "../support/told.ts";

it("Node, ES modules, files", async (context) => {
  const app = await App.install("node-esm");
  const answer = await app.answer("node", "main.js");
  note(context, answer, { stored: true, entries: ["inline.js", "node.js"] });
});

it("Node, tidegate/inline", async (context) => {
  const app = await App.install("node-esm");
  note(context, await app.answer("node", "inline.js"), { stored: false, entries: ["inline.js"] });
});

it("Node, tidegate/wasm as bytes", async (context) => {
  const app = await App.install("node-esm");
  note(context, await app.answer("node", "wasm.js"), { stored: false, entries: ["inline.js"] });
});

it("Node, importing does nothing", async () => {
  const app = await App.install("node-esm");
  const printed = await app.run(
    "node",
    "--input-type=module",
    "--eval",
    `const before = Object.getOwnPropertyNames(globalThis).join();
     for (const name of ["compile", "instantiate", "compileStreaming"]) WebAssembly[name] = () => console.log(name);
     await Promise.all(["tidegate", "tidegate/node", "tidegate/inline"].map((name) => import(name)));
     console.log(Object.getOwnPropertyNames(globalThis).join() === before);`,
  );
  expect(printed.trim()).toBe("true");
});
