// The built page as an app: what its manifest promises is there, and Chromium would install it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type chrome from "selenium-webdriver/chrome.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildSite } from "../../tools/lib/site.mjs";
import { BROWSERS, Browser } from "./support/browser.ts";
import { FilmPage } from "./support/film-page.ts";
import { Host } from "./support/host.ts";

const folder = mkdtempSync(join(tmpdir(), "tidegate-site-"));
let host: Host;
beforeAll(async () => {
  await buildSite(folder);
  host = new Host(folder, "/club/films/");
  await host.start();
});
afterAll(async () => {
  await host?.stop();
  rmSync(folder, { recursive: true });
});

/** Runs in the page: each icon of the manifest, as large as it is and as it looks. */
const LOOK = `
  const done = arguments[0];
  const side = 96;
  const draw = async (src, drawn) => {
    const image = new Image();
    image.src = src;
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: side, height: side });
    const context = canvas.getContext("2d");
    const inset = (side - drawn) / 2;
    context.drawImage(image, inset, inset, drawn, drawn);
    const { data } = context.getImageData(0, 0, side, side);
    return { sizes: image.naturalWidth + "x" + image.naturalHeight, data };
  };
  (async () => {
    const { href } = document.querySelector("link[rel=manifest]");
    const manifest = await (await fetch(href)).json();
    const at = ({ src }) => new URL(src, href).href;
    const vector = manifest.icons.find(({ type }) => type === "image/svg+xml");
    const icons = manifest.icons.filter((icon) => icon !== vector);
    const seen = [];
    for (const icon of icons) {
      const { sizes, data } = await draw(at(icon), side);
      const whole = icon.purpose === "any";
      // A maskable icon is the same one, smaller, on a ground: compared is what is painted of the smaller one.
      const { data: model } = await draw(at(vector), whole ? side : side * 0.8);
      let [differs, counted, opaque] = [0, 0, true];
      for (let n = 0; n < data.length; n += 4) {
        opaque &&= data[n + 3] === 255;
        if (!whole && model[n + 3] < 255) continue;
        counted++;
        differs += [0, 1, 2, 3].reduce((sum, part) => sum + Math.abs(data[n + part] - model[n + part]), 0) / 4;
      }
      seen.push({ purpose: icon.purpose, claims: icon.sizes, sizes, opaque, differs: differs / counted });
    }
    return { manifest: { ...manifest, icons: undefined }, start: new URL(manifest.start_url, href).href, seen };
  })().then(done, (error) => done(String(error)));`;

interface Looks {
  manifest: Record<string, string>;
  start: string;
  seen: { purpose: string; claims: string; sizes: string; opaque: boolean; differs: number }[];
}

describe.each(BROWSERS)("the manifest in %s", (name) => {
  it("leads to the page, and to icons that look like www/icon.svg", async () => {
    const browser = await Browser.open(name);
    try {
      await new FilmPage(browser, host.address).visit();
      const { manifest, start, seen } = await browser.driver.executeAsyncScript<Looks>(LOOK);
      expect(start).toBe(host.address);
      expect(manifest).toMatchObject({ short_name: "Tidegate", display: "standalone", scope: "./" });
      expect(seen.map(({ purpose, claims }) => `${purpose} ${claims}`)).toEqual([
        "any 192x192",
        "any 512x512",
        "maskable 192x192",
        "maskable 512x512",
      ]);
      for (const { purpose, claims, sizes, opaque, differs } of seen) {
        expect(sizes).toBe(claims);
        // A system cuts a maskable icon to a shape of its own, so it has no corner that shows through.
        expect(opaque).toBe(purpose === "maskable");
        // Of 255. If this fails after the icon has changed: node tools/icons.mjs
        expect(differs).toBeLessThan(4);
      }
      expect(browser.complaints).toEqual([]);
    } finally {
      await browser.quit();
    }
  });
});

describe.runIf(BROWSERS.includes("chromium"))("in Chromium", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await Browser.open("chromium");
    await new FilmPage(browser, host.address).visit();
  });
  afterAll(() => browser?.quit());

  const command = <T>(method: string, parameters = {}): Promise<T> =>
    (browser.driver as chrome.Driver).sendAndGetDevToolsCommand(method, parameters) as Promise<T>;

  it("the page can be installed", async () => {
    const { errors } = await command<{ errors: unknown[] }>("Page.getAppManifest");
    expect(errors).toEqual([]);
    const { installabilityErrors } = await command<{ installabilityErrors: unknown[] }>("Page.getInstallabilityErrors");
    expect(installabilityErrors).toEqual([]);
  });

  it.each(["light", "dark"])("the %s theme's colour is that of the page", async (scheme) => {
    const features = [{ name: "prefers-color-scheme", value: scheme }];
    await command("Emulation.setEmulatedMedia", { features });
    const colours = `
      const [theme] = [...document.querySelectorAll("meta[name=theme-color]")].filter(({ media }) => matchMedia(media).matches);
      document.body.style.outlineColor = theme.content;
      const { outlineColor, backgroundColor } = getComputedStyle(document.body);
      return { theme: outlineColor, page: backgroundColor };`;
    const { theme, page } = await browser.driver.executeScript<{ theme: string; page: string }>(colours);
    expect(theme).toBe(page);
  });
});
