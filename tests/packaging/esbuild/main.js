import { open } from "tidegate";
import wasm from "tidegate/wasm";
import { live, told } from "./app.mjs";

document.querySelector("output").textContent = await told(() => live(open, { wasm }));
