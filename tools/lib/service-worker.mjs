// Builds the page's service worker: it knows every file of the built folder by name and hash.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { at } from "./project.mjs";
import { filesIn } from "./stamps.mjs";

/** What the host reads, or the browser by itself. */
const notKept = ["_headers", "service-worker.js"];

/** @param {string} folder the built page, complete but for the worker */
export async function buildServiceWorker(folder) {
  const kept = filesIn(folder).filter((file) => !notKept.includes(file) && file !== "index.html");
  // The document last: a cache that has it is complete.
  const files = [...kept, "index.html"].map((path) => {
    const integrity = `sha256-${createHash("sha256")
      .update(readFileSync(join(folder, path)))
      .digest("base64")}`;
    return { path: path === "index.html" ? "" : path, integrity };
  });
  const version = createHash("sha256").update(JSON.stringify(files)).digest("hex").slice(0, 12);
  const { build } = await import("vite");
  await build({
    configFile: false,
    root: at("www", "platform"),
    logLevel: "warn",
    define: { BUILT: JSON.stringify({ files, version }) },
    build: {
      outDir: folder,
      emptyOutDir: false,
      rolldownOptions: {
        input: at("www", "platform", "service-worker.ts"),
        output: { format: "iife", entryFileNames: "service-worker.js" },
      },
    },
  });
}
