// Peers in real browsers: a session of its own for each, on a page that is built and served as an app's would be.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Builder, Capabilities } from "selenium-webdriver";
import chrome from "selenium-webdriver/chrome.js";
import firefox from "selenium-webdriver/firefox.js";
import { build, preview } from "vite";
import { find } from "../../../tools/lib/browsers.mjs";
import { at } from "../../../tools/lib/project.mjs";

/** The longest step of the slowest peer, in milliseconds. */
const PATIENCE = 600_000;
// Clocks are coarse unless a page is isolated.
const headers = { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" };

/** Builds the page and serves it. */
export async function servePeers() {
  const root = fileURLToPath(new URL("../browser/", import.meta.url));
  const outDir = mkdtempSync(join(tmpdir(), "tidegate-peers-"));
  const settings = /** @type {const} */ ({
    root,
    configFile: false,
    logLevel: "warn",
    build: { outDir, emptyOutDir: true, target: "es2022" },
  });
  await build(settings);
  const server = await preview({ ...settings, preview: { port: 4280, headers } });
  const address = server.resolvedUrls?.local[0];
  if (address === undefined) throw new Error("Vite serves at no address");
  return {
    address,
    async close() {
      await server.close();
      rmSync(outDir, { recursive: true });
    },
  };
}

/** @param {Parameters<typeof find>[0]} what */
function found(what) {
  const path = find(what);
  if (path === undefined) throw new Error(`${what} is missing: \`npm run test:browser\` installs it or says how`);
  return path;
}

/** @param {"chromium" | "firefox"} name */
function session(name) {
  const flags = JSON.parse(readFileSync(at("webdriver.json"), "utf8"));
  if (name === "firefox") {
    const { args } = flags["moz:firefoxOptions"];
    return new Builder()
      .withCapabilities(
        new Capabilities({ browserName: "firefox", "moz:firefoxOptions": { args, binary: found("firefox") } }),
      )
      .setFirefoxService(new firefox.ServiceBuilder(found("geckodriver")))
      .build();
  }
  const args = [...flags["goog:chromeOptions"].args, "--js-flags=--expose-gc"];
  return new Builder()
    .withCapabilities(
      new Capabilities({ browserName: "chrome", "goog:chromeOptions": { args, binary: found("chromium") } }),
    )
    .setChromeService(new chrome.ServiceBuilder(found("chromedriver")))
    .build();
}

/**
 * A peer in a browser of its own.
 * @param {"chromium" | "firefox"} browser
 * @param {string} address
 * @param {string} name
 * @param {import("./actor.mjs").Sizes} sizes
 * @returns {Promise<import("./lockstep.mjs").Runner & { version: string }>}
 */
export async function browserRunner(browser, address, name, sizes) {
  const driver = await session(browser);
  await driver.manage().setTimeouts({ script: PATIENCE });
  await driver.get(address);
  const version = (await driver.getCapabilities()).getBrowserVersion() ?? "";
  return {
    name,
    version,
    async ask(message) {
      const { answer, error } = await driver.executeAsyncScript(
        `const done = arguments[1];
        ask(arguments[0]).then((answer) => done({ answer }), (error) => done({ error: String(error.stack ?? error) }));`,
        { name, sizes, ...message },
      );
      if (error !== undefined) throw new Error(`${name} in ${browser}: ${error}`);
      return answer;
    },
    end: () => driver.quit(),
  };
}
