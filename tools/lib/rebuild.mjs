// Builds again whenever a source file of src/ or js/ changes; Vite then reloads the page.
import { buildBindings } from "./bindings.mjs";
import { at } from "./project.mjs";
import { say, told } from "./run.mjs";
import { buildWasm, generated } from "./wasm.mjs";

/** Editors write a file in several steps, and several files change at once; in milliseconds. */
const calm = 200;

/** @param {import("vite").FSWatcher} watcher Vite's, which watches the page's own files already */
export function rebuildOnChange(watcher) {
  const folders = [at("src"), at("js")];
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  let building = Promise.resolve();
  watcher.add(folders);
  watcher.on("all", (_, file) => {
    const ours = folders.some((folder) => file.startsWith(folder)) && !file.startsWith(generated);
    if (!ours) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      building = building.then(rebuild);
    }, calm);
  });
}

/** A mistake in the source is told and waits to be mended. */
async function rebuild() {
  try {
    await buildWasm();
    await buildBindings();
  } catch (error) {
    say(`✗ ${told(error)}`);
  }
}
