// Finds Chromium, Firefox and their drivers, or installs them (Debian, as root), or says what to install.
import { existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { needTool } from "./needs.mjs";
import { searchPath } from "./project.mjs";
import { attempt, Failure, run } from "./run.mjs";

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
};

const debianPackages = { chromium: "chromium", chromedriver: "chromium-driver", firefox: "firefox-esr" };
const parts = /** @type {(keyof typeof debianPackages)[]} */ (Object.keys(debianPackages));

/**
 * The path of a browser or driver, if it is there.
 * @param {keyof typeof names} what
 */
export function find(what) {
  const folders = searchPath().split(delimiter);
  const places = names[what].flatMap((name) =>
    name.startsWith("/") ? [name] : folders.map((folder) => join(folder, name)),
  );
  return places.find((place) => existsSync(place));
}

/** Makes sure of both browsers and both drivers. */
export async function needBrowsers() {
  const missing = parts.filter((what) => !find(what));
  if (missing.length > 0) {
    if (!isDebian() || process.getuid?.() !== 0) throw new Failure(directions(missing));
    const packages = missing.map((what) => debianPackages[what]);
    const apt = ["-q", "-o", "DPkg::Lock::Timeout=300"];
    const env = { DEBIAN_FRONTEND: "noninteractive" };
    await run("apt-get", [...apt, "update"], { title: "apt-get update", env });
    await run("apt-get", [...apt, "install", "-y", "--no-install-recommends", ...packages], {
      title: `apt-get install: ${packages.join(" ")}`,
      env,
    });
    const still = parts.filter((what) => !find(what));
    if (still.length > 0) throw new Failure(directions(still));
  }
  await needTool("geckodriver");
  await needSameMajor();
}

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

function isDebian() {
  const release = "/etc/os-release";
  return existsSync(release) && /^ID=debian$/m.test(readFileSync(release, "utf8"));
}

/** @param {(keyof typeof debianPackages)[]} missing */
function directions(missing) {
  const list = missing.map((what) => `  ${what}: looked for ${names[what].join(", ")}`).join("\n");
  const packages = missing.map((what) => debianPackages[what]).join(" ");
  return `The browser tests need what is missing here:
${list}
Install it, then run this again:
  Debian:   sudo apt-get update && sudo apt-get install -y ${packages}
  macOS:    brew install --cask ${missing.map((what) => (what === "chromium" ? "google-chrome" : what)).join(" ")}
  others:   Chrome or Chromium, a chromedriver of the same major version, and Firefox, all on PATH`;
}
