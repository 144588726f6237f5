// node tools/icons.mjs: draws www/icon.svg as the PNG files that installed apps need, with Chromium. Run it when the icon changes.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { Builder, Capabilities } from "selenium-webdriver";
import chrome from "selenium-webdriver/chrome.js";
import { find, needChromium } from "./lib/browsers.mjs";
import { iconSizes } from "./lib/manifest.mjs";
import { at } from "./lib/project.mjs";
import { main, say } from "./lib/run.mjs";

/** Runs in the browser: the icon in its own shape, or smaller on a ground of its colour, which the system cuts to a shape. */
const draw = `
  const [svg, size, maskable, done] = arguments;
  const image = new Image();
  image.onload = () => {
    const canvas = Object.assign(document.createElement("canvas"), { width: size, height: size });
    const context = canvas.getContext("2d");
    const inset = maskable ? size * 0.1 : 0;
    if (maskable) {
      const ground = new DOMParser().parseFromString(svg, "image/svg+xml").querySelector("rect").getAttribute("fill");
      context.fillStyle = ground;
      context.fillRect(0, 0, size, size);
    }
    context.drawImage(image, inset, inset, size - 2 * inset, size - 2 * inset);
    done(canvas.toDataURL("image/png").split(",")[1]);
  };
  image.src = "data:image/svg+xml," + encodeURIComponent(svg);
`;

await main(async () => {
  await needChromium();
  const args = ["--headless", "--no-sandbox", "--disable-gpu"];
  const options = { args, binary: find("chromium") };
  const driver = await new Builder()
    .withCapabilities(new Capabilities({ browserName: "chrome", "goog:chromeOptions": options }))
    .setChromeService(new chrome.ServiceBuilder(find("chromedriver")))
    .build();
  try {
    const svg = readFileSync(at("www", "icon.svg"), "utf8");
    mkdirSync(at("www", "platform", "icons"), { recursive: true });
    for (const { file, size, purpose } of iconSizes) {
      /** @type {string} */
      const png = await driver.executeAsyncScript(draw, svg, size, purpose === "maskable");
      writeFileSync(at("www", "platform", "icons", file), Buffer.from(png, "base64"));
      say(`✓ ${file}`);
    }
  } finally {
    await driver.quit();
  }
});
