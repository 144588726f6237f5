// `tidegate/wasm`: the binary itself. What importing it gives is for the bundler or runtime to say: a module, bytes, or an
// address. `open({ wasm })` takes each of them.
import type { OpenOptions } from "./dist/index.js";

declare const wasm: NonNullable<OpenOptions["wasm"]>;
export default wasm;
