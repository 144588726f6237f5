// The module as JavaScript text, for `tidegate/inline`.
import { deflateRawSync } from "node:zlib";

export const inlineFiles = { script: "tidegate_inline.js", types: "tidegate_inline.d.ts" };

/**
 * Deflated, since every engine that can run the module can inflate without help, and then in base64: text that no minifier
 * and no other encoding makes longer.
 * @param {Uint8Array} module
 */
export function inlined(module) {
  const deflated = deflateRawSync(module, { level: 9 }).toString("base64");
  return {
    script: `// tidegate_bg.wasm, deflated, in base64.\nexport const deflated = "${deflated}";\n`,
    types: "/** The WebAssembly module, deflated, in base64. */\nexport declare const deflated: string;\n",
  };
}
