import { live, told } from "./app.mjs";
// Import maps are not for workers.
import { open } from "./node_modules/tidegate/dist/index.js";

self.onmessage = (event) => {
  event.waitUntil(told(() => live(open)).then((text) => event.source.postMessage(text)));
};
