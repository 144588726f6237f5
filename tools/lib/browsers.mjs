// Finds Chromium, Firefox, WebKitGTK and their drivers, or installs them (Debian, as root), or says what to install.
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { aptInstall, hasApt, needTool } from "./needs.mjs";
import { searchPath } from "./project.mjs";
import { attempt, Failure, say } from "./run.mjs";

/** The browsers that the tests of the browser step run in. */
const browsers = /** @type {const} */ (["chromium", "firefox", "webkit"]);
/** @typedef {(typeof browsers)[number]} BrowserName */

/** As Debian calls it in the names of folders. */
const machine = `${process.arch === "arm64" ? "aarch64" : "x86_64"}-linux-gnu`;

// The first one found is taken. WebDriver needs to be told where Firefox is where its program is not called "firefox".
const names = {
  chromium: [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  ],
  chromedriver: ["chromedriver"],
  firefox: ["firefox", "firefox-esr", "/Applications/Firefox.app/Contents/MacOS/firefox"],
  geckodriver: ["geckodriver"],
  // WebKitGTK's own small browser, which is on no PATH.
  minibrowser: [
    ...["4.1", "4.0"].map((api) => `/usr/lib/${machine}/webkit2gtk-${api}/MiniBrowser`),
    ...["4.1", "4.0"].map((api) => `/usr/libexec/webkit2gtk-${api}/MiniBrowser`),
  ],
  webkitdriver: ["WebKitWebDriver"],
  // It has no mode without a screen.
  xvfb: ["Xvfb"],
};
/** @typedef {keyof typeof names} Part */

/** What each browser consists of, and Debian's package of each part; geckodriver is built by cargo. */
/** @type {Record<BrowserName, Partial<Record<Part, string>>>} */
const packages = {
  chromium: { chromium: "chromium", chromedriver: "chromium-driver" },
  firefox: { firefox: "firefox-esr" },
  webkit: { minibrowser: "libwebkit2gtk-4.1-0", webkitdriver: "webkit2gtk-driver", xvfb: "xvfb" },
};

/**
 * The path of a browser or driver, if it is there.
 * @param {Part} what
 */
export function find(what) {
  const folders = searchPath().split(delimiter);
  const places = names[what].flatMap((name) =>
    name.startsWith("/") ? [name] : folders.map((folder) => join(folder, name)),
  );
  return places.find((place) => existsSync(place));
}

/**
 * The browsers to test in: all three, unless TIDEGATE_BROWSERS names some ("chromium,firefox"), for a machine that cannot
 * have the others. In CI it is refused: what is not run there is run nowhere.
 * @returns {BrowserName[]}
 */
export function chosenBrowsers() {
  const given = process.env.TIDEGATE_BROWSERS;
  if (!given) return [...browsers];
  if (process.env.CI) throw new Failure("TIDEGATE_BROWSERS is set: CI tests in all browsers");
  const chosen = given.split(",");
  const unknown = chosen.filter((name) => !browsers.some((browser) => browser === name));
  if (unknown.length > 0) throw new Failure(`TIDEGATE_BROWSERS: no ${unknown.join()}; there are ${browsers.join()}`);
  return browsers.filter((browser) => chosen.includes(browser));
}

/** Makes sure of the browsers to test in, and of their drivers. */
export async function needBrowsers() {
  const chosen = chosenBrowsers();
  const others = browsers.filter((browser) => !chosen.includes(browser));
  if (others.length > 0) say(`! not tested in ${others.join(" and ")}: TIDEGATE_BROWSERS says so`);
  await need(chosen);
}

/** Makes sure of the browsers that wasm-pack can drive. */
export const needWasmBrowsers = () => need(["chromium", "firefox"]);

/** Makes sure of the browser that apps are run in. */
export const needChromium = () => need(["chromium"]);

/** @param {readonly BrowserName[]} chosen */
async function need(chosen) {
  const missing = chosen.filter((browser) => missingParts(browser).length > 0);
  if (missing.length > 0) {
    if (!hasApt()) throw new Failure(directions(missing));
    await aptInstall(debianPackages(missing));
    const still = missing.filter((browser) => missingParts(browser).length > 0);
    if (still.length > 0) throw new Failure(directions(still));
  }
  if (chosen.includes("firefox")) await needTool("geckodriver");
  if (chosen.includes("chromium")) await needSameMajor();
}

/** @param {BrowserName} browser */
const missingParts = (browser) => /** @type {Part[]} */ (Object.keys(packages[browser])).filter((part) => !find(part));

/** @param {readonly BrowserName[]} missing */
const debianPackages = (missing) =>
  missing.flatMap((browser) => missingParts(browser).map((part) => packages[browser][part] ?? part));

/** A driver refuses another major version of its browser with an error that hides the cause. */
async function needSameMajor() {
  const [browser, driver] = await Promise.all([major("chromium"), major("chromedriver")]);
  if (browser !== driver) {
    throw new Failure(
      `Chromium is version ${browser} (${find("chromium")}) but its driver is ${driver} ` +
        `(${find("chromedriver")}): install a chromedriver of version ${browser}`,
    );
  }
}

/** @param {"chromium" | "chromedriver"} what */
async function major(what) {
  const { output } = await attempt(find(what) ?? what, ["--version"], { silent: true });
  return output.match(/(?:Chromium|Chrome|ChromeDriver) (\d+)\./)?.[1] ?? "unknown";
}

const casks = { chromium: "google-chrome chromedriver", firefox: "firefox" };

/** @param {readonly BrowserName[]} missing */
function directions(missing) {
  const parts = missing.flatMap(missingParts);
  const list = parts.map((part) => `  ${part}: looked for ${names[part].join(", ")}`).join("\n");
  const ours = missing.filter((browser) => browser !== "webkit");
  const mac = ours.length > 0 ? `brew install --cask ${ours.map((browser) => casks[browser]).join(" ")}` : "";
  const webkit = missing.includes("webkit")
    ? `
WebKit is tested as WebKitGTK, which macOS does not have, and Safari's driver wants a person's consent. To test in the
other browsers only, and to be told so: TIDEGATE_BROWSERS=chromium,firefox npm run test:browser`
    : "";
  return `The browser tests need what is missing here:
${list}
Install it, then run this again:
  Debian:   sudo apt-get update && sudo apt-get install -y ${debianPackages(missing).join(" ")}${
    mac && `\n  macOS:    ${mac}`
  }
  others:   Chrome or Chromium, a chromedriver of the same major version, Firefox, WebKitGTK with its driver, and Xvfb${webkit}`;
}
