// A Vite plugin that gives the built page its platform: a policy, a manifest with icons, early loading of what the scripts will
// fetch, and a service worker. The page under the dev server has none of it.
import { readFileSync } from "node:fs";
import { ground, iconSizes, manifest } from "./manifest.mjs";
import { headers, policy } from "./policy.mjs";
import { at } from "./project.mjs";
import { buildServiceWorker } from "./service-worker.mjs";

/** What the page fetches once its scripts run. */
const fetched = [/\.wasm$/, /films-[^/]*\.json$/];

/** @returns {import("vite").Plugin[]} */
export function platform() {
  /** @type {string[]} */
  let icons = [];
  return [
    {
      name: "tidegate-offline",
      apply: "build",
      // Before Vite gathers the scripts of the document.
      transformIndexHtml: {
        order: "pre",
        handler: () => [{ tag: "script", attrs: { type: "module", src: "./platform/offline.ts" }, injectTo: "head" }],
      },
      async writeBundle({ dir = "" }) {
        await buildServiceWorker(dir);
      },
    },
    {
      name: "tidegate-platform",
      apply: "build",
      buildStart() {
        icons = iconSizes.map(({ file }) => {
          const source = readFileSync(at("www", "platform", "icons", file));
          return this.emitFile({ type: "asset", name: file, source });
        });
      },
      transformIndexHtml: { order: "post", handler: (_, { bundle = {} }) => head(Object.keys(bundle)) },
      generateBundle(_, bundle) {
        const vector = Object.keys(bundle).find((file) => file.endsWith(".svg")) ?? "";
        const bitmaps = icons.map((icon) => this.getFileName(icon));
        const source = JSON.stringify(manifest(vector, bitmaps));
        this.emitFile({ type: "asset", fileName: "manifest.webmanifest", source });
        this.emitFile({ type: "asset", fileName: "_headers", source: headers });
      },
    },
  ];
}

/**
 * What the document's head has more than www/index.html says.
 * @param {string[]} files of the build
 * @returns {import("vite").HtmlTagDescriptor[]}
 */
function head(files) {
  /** @param {RegExp} name */
  const address = (name) => `./${files.find((file) => name.test(file))}`;
  /**
   * @param {string} rel
   * @param {string} href
   * @param {Record<string, string | true>} [attrs]
   * @returns {import("vite").HtmlTagDescriptor}
   */
  const link = (rel, href, attrs) => ({ tag: "link", attrs: { rel, href, ...attrs }, injectTo: "head" });
  return [
    { tag: "meta", attrs: { "http-equiv": "Content-Security-Policy", content: policy }, injectTo: "head-prepend" },
    ...Object.entries(ground).map(([scheme, content]) => ({
      tag: "meta",
      attrs: { name: "theme-color", media: `(prefers-color-scheme: ${scheme})`, content },
      injectTo: /** @type {const} */ ("head"),
    })),
    link("manifest", "./manifest.webmanifest"),
    link("apple-touch-icon", address(/maskable-192-[^/]*\.png$/)),
    ...fetched.map((name) => link("preload", address(name), { as: "fetch", crossorigin: true })),
  ];
}
