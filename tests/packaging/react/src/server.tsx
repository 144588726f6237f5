// Renders the app as a server does, and prints the HTML and what was touched that a server should leave alone.
import { StrictMode } from "react";
import { renderToString } from "react-dom/server";

const touched: string[] = [];
const globals = globalThis as unknown as Record<string, unknown>;
for (const name of [
  "window",
  "document",
  "navigator",
  "indexedDB",
  "localStorage",
  "BroadcastChannel",
  "WebAssembly",
]) {
  const value = globals[name];
  Object.defineProperty(globals, name, {
    get() {
      touched.push(name);
      return value;
    },
  });
}
const { App } = await import("./app");
const html = renderToString(
  <StrictMode>
    <App />
  </StrictMode>,
);
// What an `open` would do comes later.
await new Promise((resolve) => setTimeout(resolve, 100));
console.log(JSON.stringify({ html, touched }));
