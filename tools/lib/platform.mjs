// A Vite plugin that gives the built page its platform: a policy, a manifest and icons, early loading, and a service worker.
// The page under the dev server has none of it.
import { headers, policy } from "./policy.mjs";

/** What the page fetches once its scripts run. A hint in the page makes it come beside them. */
const fetched = [/\.wasm$/, /films-[^/]*\.json$/];

/** @returns {import("vite").Plugin} */
export function platform() {
  return {
    name: "tidegate-platform",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler: (_, { bundle = {} }) => [
        {
          tag: "meta",
          attrs: { "http-equiv": "Content-Security-Policy", content: policy },
          injectTo: "head-prepend",
        },
        ...Object.keys(bundle)
          .filter((file) => fetched.some((kind) => kind.test(file)))
          .map((file) => ({
            tag: "link",
            attrs: { rel: "preload", as: "fetch", href: `./${file}`, crossorigin: true },
            injectTo: /** @type {const} */ ("head"),
          })),
      ],
    },
    generateBundle() {
      this.emitFile({ type: "asset", fileName: "_headers", source: headers });
    },
  };
}
