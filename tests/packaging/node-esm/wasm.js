import { readFile } from "node:fs/promises";
import { open } from "tidegate";
import { live, told } from "./app.mjs";

const wasm = new Uint8Array(await readFile(new URL(import.meta.resolve("tidegate/wasm"))));
console.log(await told(() => live(open, { wasm })));
