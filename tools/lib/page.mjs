// Serves the page of www/ with Vite: for a person (npm start) and for the browser tests.
import { existsSync } from "node:fs";
import { at } from "./project.mjs";
import { Failure } from "./run.mjs";

/**
 * @param {object} options
 * @param {number} options.port the next free one is taken where it is in use
 * @param {boolean} options.watch whether the page reloads when a file changes
 * @returns {Promise<{ address: string, watcher: import("vite").FSWatcher, close: () => Promise<void> }>}
 */
export async function servePage({ port, watch }) {
  if (!existsSync(at("www", "index.html"))) throw new Failure("www/index.html is missing");
  const { createServer } = await import("vite");
  const server = await createServer({
    root: at("www"),
    server: { port, ...(watch ? {} : { hmr: false, watch: null }) },
  });
  await server.listen();
  const address = server.resolvedUrls?.local[0];
  if (!address) throw new Error("Vite serves at no address");
  return { address, watcher: server.watcher, close: () => server.close() };
}
