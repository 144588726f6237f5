// For bundlers: what an import of the binary gives is what `wasm` takes.
import { open } from "tidegate";
import wasm from "tidegate/wasm";

export const opened = open({ wasm });
