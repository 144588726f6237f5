import { live, told } from "./app.mjs";
// Import maps are not for workers.
import { open } from "./node_modules/tidegate/dist/index.js";

postMessage(await told(() => live(open)));
