// The built page on a static host, below a path: it opens without the host once it was there, takes a new version over whole, and
// keeps to its policy.
import { copyFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { buildSite } from "../../tools/lib/site.mjs";
import { BROWSERS, Browser } from "./support/browser.ts";
import { FilmPage } from "./support/film-page.ts";
import { Host } from "./support/host.ts";

const folders = mkdtempSync(join(tmpdir(), "tidegate-site-"));
/** Two versions of the page: each says in the document and by a script which one it is. */
const [first, second] = [join(folders, "1"), join(folders, "2")];
let host: Host;

/** A Vite plugin that marks the document and the page's script. */
function marked(version: string): Parameters<typeof buildSite>[1] {
  return [
    {
      name: "mark",
      transformIndexHtml: (html) => html.replace("<html", `<html data-document="${version}"`),
      transform: (code, id) =>
        id.endsWith("/platform/offline.ts")
          ? `${code}\ndocument.documentElement.dataset.script = "${version}";`
          : undefined,
    },
  ];
}

beforeAll(async () => {
  await buildSite(first, marked("1"));
  await buildSite(second, marked("2"));
  host = new Host(first, "/club/films/");
  await host.start();
});
afterAll(async () => {
  await host?.stop();
  rmSync(folders, { recursive: true });
});

it("the built files name no other host", () => {
  const files = readdirSync(first, { recursive: true, encoding: "utf8" }).filter((file) => /\.\w+$/.test(file));
  const named = files.flatMap((file) => readFileSync(join(first, file), "latin1").match(/https?:\/\/[\w.-]+/g) ?? []);
  // The names of the vocabularies of SVG and MathML are addresses that nobody loads.
  expect(new Set(named)).toEqual(new Set(["http://www.w3.org"]));
});

it("the page under the dev server registers no worker", async () => {
  const browser = await Browser.open("chromium");
  try {
    await new FilmPage(browser, inject("page")).visit();
    const workers = "navigator.serviceWorker.getRegistrations().then((all) => arguments[0](all.length))";
    expect(await browser.driver.executeAsyncScript(workers)).toBe(0);
  } finally {
    await browser.quit();
  }
});

describe.each(BROWSERS)("the built page in %s", (name) => {
  let browser: Browser;
  let page: FilmPage;
  /** A document of the same origin that the worker has no part in. */
  let outside: string;

  beforeAll(async () => {
    browser = await Browser.open(name);
    await browser.resize(1440, 900);
    outside = new URL("/", host.address).href;
    page = new FilmPage(browser, host.address);
  });
  afterAll(() => browser?.quit());
  beforeEach(async () => {
    host.folder = first;
    await browser.empty(outside);
    await browser.driver.executeAsyncScript(`
      navigator.serviceWorker.getRegistrations().then((all) => Promise.all(all.map((one) => one.unregister())))
        .then(() => caches.keys()).then((names) => Promise.all(names.map((name) => caches.delete(name))))
        .then(arguments[0], arguments[0]);`);
    browser.complaints.length = 0;
  });
  afterEach(() => {
    expect(browser.complaints.splice(0)).toEqual([]);
  });

  /** Waits until a worker of the page has come to a state. */
  async function worker(which: "active" | "waiting", state: string): Promise<void> {
    const read = (): Promise<string> =>
      browser.driver.executeAsyncScript(
        `const [scope, which, done] = arguments;
         navigator.serviceWorker.getRegistration(scope).then((found) => done(found?.[which]?.state ?? ""));`,
        host.address,
        which,
      );
    await browser.until(`worker ${which}`, read, (found) => found === state);
  }

  const kept = (): Promise<string[]> =>
    browser.driver.executeAsyncScript("caches.keys().then((names) => arguments[0](names))");

  /** What the page in front is, its document and its script. */
  const version = (): Promise<string> =>
    browser.driver.executeScript("return Object.values({ ...document.documentElement.dataset }).sort().join()");

  /** Opens the page and tells which one it is. */
  async function visit(): Promise<string> {
    await page.visit();
    return version();
  }

  /** Closes the page's tab. Firefox keeps a page that was only left, for going back to it, and its worker with it. */
  async function closeTab(): Promise<void> {
    const { driver } = browser;
    const old = await driver.getWindowHandle();
    await driver.switchTo().newWindow("tab");
    const other = await driver.getWindowHandle();
    await browser.open(outside);
    await driver.switchTo().window(old);
    await driver.close();
    await driver.switchTo().window(other);
  }

  it("opens without the host once it was there, with what it had learned", async () => {
    await page.visit();
    await page.signal("like");
    await page.saved();
    await worker("active", "activated");
    const films = await page.films();
    await host.stop();
    try {
      await reload(browser);
      await page.ready();
      expect(await page.films()).toEqual(films);
      expect(await page.profile()).toMatchObject({ signals: 1 });
      await page.signal("like");
      await page.saved();
      // Also by its whole name, and from a link that counts clicks.
      for (const address of ["index.html", "?from=somewhere"]) {
        await new FilmPage(browser, host.address + address).visit();
        expect(await page.profile()).toMatchObject({ signals: 2 });
      }
    } finally {
      await host.start();
    }
  });

  it("takes a new version over whole, and then removes the old one", async () => {
    expect(await visit()).toBe("1,1");
    await worker("active", "activated");
    host.folder = second;
    // It opens at once with what is there, and fetches the new version meanwhile.
    expect(await visit()).toBe("1,1");
    await worker("waiting", "installed");
    expect(await kept()).toHaveLength(2);
    await host.stop();
    try {
      expect(await visit()).toBe("2,2");
    } finally {
      await host.start();
    }
    await closeTab();
    await browser.until("old caches", kept, (names) => names.length === 1);
    expect(await visit()).toBe("2,2");
  });

  it("leaves an open tab what its version still has to load", async () => {
    const { driver } = browser;
    await page.visit();
    await worker("active", "activated");
    await page.visit();
    const old = await driver.getWindowHandle();
    await driver.switchTo().newWindow("tab");
    const own = "return performance.getEntriesByType('resource').map(({ name }) => name)";
    try {
      host.folder = second;
      await page.visit();
      await worker("waiting", "installed");
      expect(await visit()).toBe("2,2");
    } finally {
      await driver.close();
      await driver.switchTo().window(old);
    }
    expect(await version()).toBe("1,1");
    const files = (await driver.executeScript<string[]>(own)).filter((file) => file.startsWith(host.address));
    const statuses = await Promise.all(files.map(async (file) => (await fetch(file)).status));
    expect(statuses).toContain(404);
    const inTab = `const [files, done] = arguments;
      Promise.all(files.map((file) => fetch(file).then(({ ok }) => ok))).then(done, (error) => done(String(error)));`;
    expect(await driver.executeAsyncScript(inTab, files)).toEqual(files.map(() => true));
  });

  it("does not keep files of two versions together", async () => {
    await page.visit();
    await worker("active", "activated");
    // As while a new version is on its way to the host: the worker is there, the document is still the old one.
    const mixed = join(folders, `mixed-${name}`);
    cpSync(second, mixed, { recursive: true });
    copyFileSync(join(first, "index.html"), join(mixed, "index.html"));
    host.folder = mixed;
    const update = `const done = arguments[0];
      navigator.serviceWorker.getRegistration().then((registration) => {
        registration.onupdatefound = () => {
          const { installing } = registration;
          installing.onstatechange = () => done(installing.state);
        };
        return registration.update();
      });`;
    expect(await browser.driver.executeAsyncScript(update)).toBe("redundant");
    expect(await kept()).toHaveLength(1);
    // The browser's console tells what the worker found.
    browser.complaints.length = 0;
    expect(await visit()).toBe("1,1");
  });

  it("allows itself nothing but its own files", async () => {
    await page.visit();
    await page.signal("like");
    const fetched = "return performance.getEntriesByType('resource').map(({ name }) => new URL(name).origin)";
    const origins = await browser.driver.executeScript<string[]>(fetched);
    expect(new Set(origins)).toEqual(new Set([new URL(host.address).origin]));
    // What the page did until here was complained of nowhere.
    expect(browser.complaints).toEqual([]);
    const trespass = `const done = arguments[0];
      const seen = new Set();
      addEventListener("securitypolicyviolation", ({ effectiveDirective }) => {
        seen.add(effectiveDirective.replace(/-(attr|elem)$/, ""));
        if (seen.size === 6) done([...seen].sort());
      });
      const add = (tag, properties) => document.body.append(Object.assign(document.createElement(tag), properties));
      document.body.setAttribute("style", "color: red");
      add("script", { textContent: "globalThis.trespassed = true" });
      add("img", { src: "http://127.0.0.1:9/" });
      add("iframe", { src: location.href });
      add("base", { href: "http://127.0.0.1:9/" });
      fetch("http://127.0.0.1:9/").catch(() => {});`;
    expect(await browser.driver.executeAsyncScript(trespass)).toEqual([
      "base-uri",
      "connect-src",
      "frame-src",
      "img-src",
      "script-src",
      "style-src",
    ]);
    expect(await browser.driver.executeScript("return globalThis.trespassed")).toBeFalsy();
    browser.complaints.length = 0;
  });
});

/** As a person does it: a driver's own command goes past the worker in Firefox. */
async function reload(browser: Browser): Promise<void> {
  const { driver } = browser;
  await driver.executeScript("document.documentElement.dataset.old = ''; location.reload()");
  await browser.until(
    "reload",
    () => driver.executeScript<boolean>("return 'old' in document.documentElement.dataset").catch(() => true),
    (old) => !old,
  );
}
