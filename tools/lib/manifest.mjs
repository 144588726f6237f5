// The web app manifest of the built page, with which it can be installed as an app.

/** The icons as PNG files in www/platform/icons/; `node tools/icons.mjs` makes them of www/icon.svg. */
export const iconSizes = /** @type {const} */ ([
  { file: "icon-192.png", size: 192, purpose: "any" },
  { file: "icon-512.png", size: 512, purpose: "any" },
  { file: "maskable-192.png", size: 192, purpose: "maskable" },
  { file: "maskable-512.png", size: 512, purpose: "maskable" },
]);

/** The colours of the page's ground, as in www/styles/base.css: tests/browser/offline.test.ts compares them. */
export const ground = { light: "#f4f6f6", dark: "#0d1515" };

/**
 * Addresses are relative to the manifest, which lies beside the document.
 * @param {string} vector where the icon is as SVG
 * @param {string[]} bitmaps where those of `iconSizes` are
 */
export const manifest = (vector, bitmaps) => ({
  name: "Tidegate: a film feed that learns on your device",
  short_name: "Tidegate",
  description: "A film feed that learns on your device and stops sharing the moment you say so.",
  lang: "en",
  start_url: "./",
  scope: "./",
  display: "standalone",
  theme_color: ground.light,
  background_color: ground.light,
  icons: [
    { src: vector, sizes: "any", type: "image/svg+xml", purpose: "any" },
    ...iconSizes.map(({ size, purpose }, n) => ({
      src: bitmaps[n],
      sizes: `${size}x${size}`,
      type: "image/png",
      purpose,
    })),
  ],
});
