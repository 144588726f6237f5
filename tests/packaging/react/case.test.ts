import { readFileSync, writeFileSync } from "node:fs";
import { By, type WebDriver } from "selenium-webdriver";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { at } from "../../../tools/lib/project.mjs";
import { Browser } from "../../browser/support/browser.ts";
import { App } from "../support/app.ts";
import { type Site, serve } from "../support/site.ts";

let app: App;
// Strict mode is of development only, and so are React's warnings.
let dev: Site;
let browser: Browser;

beforeAll(async () => {
  app = await App.install("react", "react");
  writePrinted();
  await app.run("npm", "run", "build");
  const { html } = JSON.parse(await rendered());
  const page = readFileSync(app.at("hydrate.html"), "utf8");
  writeFileSync(app.at("hydrate.html"), page.replace("<!--server-->", html));
  dev = await app.serve("vite", ["--port", "4390"]);
});
afterAll(() => dev?.close());

beforeEach(async () => {
  browser = await Browser.open("chromium");
  await counted();
});
afterEach(async () => {
  await browser.quit();
  expect(browser.complaints).toEqual([]);
});

/** The recipe as docs/recipes.md prints it, on a page. */
function writePrinted(): void {
  const [, printed = ""] = /^```tsx\n(.*?)^```$/ms.exec(readFileSync(at("docs", "recipes.md"), "utf8")) ?? [];
  const page = readFileSync(app.at("index.html"), "utf8");
  writeFileSync(app.at("printed.html"), page.replace("main.tsx", "printed.tsx"));
  const program = [
    `import { StrictMode } from "react";`,
    `import { createRoot } from "react-dom/client";`,
    `const films = [{ id: "alien" }, { id: "heat" }];`,
    printed,
    `createRoot(document.getElementById("root") as HTMLElement).render(<StrictMode><App /></StrictMode>);`,
  ];
  writeFileSync(app.at("src", "printed.tsx"), program.join("\n"));
}

async function rendered(): Promise<string> {
  await app.run("vite", "build", "--ssr", "src/server.tsx", "--outDir", "server");
  return await app.run("node", "server/server.js");
}

/** From its next page on, the tab in front counts what is opened. */
async function counted(): Promise<void> {
  const driver = browser.driver as WebDriver & { sendDevToolsCommand(name: string, args: object): Promise<void> };
  const source = readFileSync(app.at("count.js"), "utf8");
  await driver.sendDevToolsCommand("Page.addScriptToEvaluateOnNewDocument", { source });
}

/** Connections to IndexedDB that there ever were, the most at a time, and now; channels to other tabs now. */
const opened = (): Promise<Record<"ever" | "most" | "now" | "channels", number>> => browser.call("opened", "count");
const openOnce = { ever: 1, most: 1, now: 1, channels: 1 };

const press = (button: string): Promise<void> =>
  browser.driver.findElement(By.xpath(`//section//button[.='${button}']`)).click();

/** Waits until the page says so of the membership. */
async function membership(words: string): Promise<void> {
  const read = async (): Promise<string> => (await browser.all("section :is(strong, small)")).join(", ");
  await browser.until("membership", read, (found) => found === words);
}

/** Likes a film, and waits for what became of it in the club. */
async function like(film: string, outcome: string): Promise<void> {
  await browser.driver.findElement(By.xpath(`//li[contains(., '${film}')]//button[.='Like']`)).click();
  const read = (): Promise<string> => browser.text("output");
  await browser.until("outcome", read, (found) => found === `${film}: ${outcome}`);
}

/** Films and the parts of their scores, best first. */
const ranking = (): Promise<string[]> => browser.all("li > div");

it("React, server rendering: the fallback, and nothing is touched", async () => {
  const { html, touched } = JSON.parse(await rendered());
  expect(html).toContain("Opening");
  expect(touched).toEqual([]);
});

it("React, hydration", async () => {
  await browser.open(`${dev.address}hydrate.html`);
  await membership("Not a member");
  await like("Heat", "NotMember");
  expect(await opened()).toEqual(openOnce);
});

it("React, as docs/recipes.md prints it", async () => {
  const press = (button: string): Promise<void> =>
    browser.driver.findElement(By.xpath(`//button[.='${button}']`)).click();
  const until = (...texts: string[]): Promise<string[]> =>
    browser.until(
      "buttons",
      () => browser.all("button"),
      (found) => found.join() === texts.join(),
    );
  await browser.open(`${dev.address}printed.html`);
  await until("Join", "alien", "heat");
  await press("Join");
  await until("Leave", "alien", "heat");
  await press("alien");
  await until("Leave", "heat");
  await press("Leave");
  await until("Join", "heat");
});

describe.each(["dev server, strict mode", "build"])("React, %s", (how) => {
  let site: Site;
  beforeAll(async () => {
    site = how === "build" ? await serve(app.at("dist")) : dev;
  });
  afterAll(() => (site === dev ? undefined : site.close()));

  it(`React, ${how}`, async () => {
    await browser.open(site.address);
    await membership("Not a member");
    await like("Alien", "NotMember");
    expect((await ranking())[0]).toMatch(/^Alien .*you \+0\.\d[1-9] · club \+0\.00$/);
    await press("Join");
    await membership("Member, epoch 0");
    await like("Heat", "Recorded");
    expect((await ranking())[0]).toMatch(/^Heat .* club \+0\.\d[1-9]$/);
    await press("Leave");
    await membership("Left, epoch 0");
    await like("Brick", "Left");
    expect((await ranking()).filter((film) => !film.endsWith("club +0.00"))).toEqual([]);
    await press("Rejoin");
    await membership("Member, epoch 1");
    const ranked = await ranking();
    expect(ranked.filter((film) => !film.endsWith("club +0.00"))).toEqual([expect.stringMatching(/^Heat/)]);
    expect(await opened()).toEqual(openOnce);

    await browser.reload();
    await membership("Member, epoch 1");
    expect(await ranking()).toEqual(ranked);
    expect(await opened()).toEqual(openOnce);
  });

  it(`React, ${how}, another tab`, async () => {
    const { driver } = browser;
    await browser.open(site.address);
    await membership("Not a member");
    await press("Join");
    const first = await driver.getWindowHandle();
    await driver.switchTo().newWindow("tab");
    await browser.open(site.address);
    await membership("Member, epoch 0");
    await like("Heat", "Recorded");
    await press("Leave");
    await driver.switchTo().window(first);
    await membership("Left, epoch 0");
    await browser.until("the other tab's like", ranking, ([best]) => best?.startsWith("Heat") === true);
    await like("Brick", "Left");
  });
});

describe("React, the recipe by itself", () => {
  const probe = <T>(method: string, ...args: unknown[]): Promise<T> => browser.call("probe", method, ...args);
  const until = (text: string): Promise<string> =>
    browser.until(
      "the page",
      () => browser.text("output"),
      (found) => found === text,
    );
  const closed = (): Promise<unknown> => browser.until("closed", opened, ({ now, channels }) => now + channels === 0);

  beforeEach(async () => {
    await browser.open(`${dev.address}probe.html`);
    await browser.until(
      "probe",
      () => browser.driver.executeScript("return !!globalThis.probe"),
      (is) => is === true,
    );
    await probe("mount");
    await until("null null false alien heat");
  });

  it("React, unmounted: all is closed", async () => {
    expect(await opened()).toEqual(openOnce);
    await probe("like", "heat");
    await probe("unmount");
    await closed();
    await probe("mount");
    await until("null null false heat alien");
    expect(await opened()).toMatchObject({ ever: 2, most: 1, now: 1 });
  });

  it("React, unmounted and mounted at once: one after the other", async () => {
    await probe("join");
    await probe("like", "heat");
    await probe("remount");
    await until("Joined 0 true heat alien");
    await probe("remount", 3);
    await until("Joined 0 true heat alien");
    expect(await opened()).toMatchObject({ ever: 3, most: 1, now: 1 });
    await probe("remount");
    await probe("unmount");
    await closed();
    expect(await opened()).toMatchObject({ most: 1 });
  });

  it("React, hidden and shown", async () => {
    await probe("join");
    await probe("hide");
    await closed();
    await probe("show");
    await until("Joined 0 true alien heat");
  });

  it("React, equal answers stay the same objects", async () => {
    const before = await probe("answers");
    await probe("again");
    await probe("again");
    expect(await probe("answers")).toEqual(before);
    await probe("like", "heat");
    await until("null null false heat alien");
    await probe("like", "heat");
    expect(await probe("answers")).toEqual({ clubs: 1, rankings: 3 });
  });

  it("React, an error of opening", async () => {
    await probe("unmount");
    await closed();
    await probe("mount", { signals: { like: { halfLife: "1d" } } });
    await until("failed");
    expect(await probe("failure")).toBe("SchemaMismatch");
    await closed();
  });

  it("React, the site's data deleted", async () => {
    await probe("join");
    await until("Joined 0 true alien heat");
    await browser.driver.executeScript(`indexedDB.deleteDatabase("tidegate:probe")`);
    await probe("like", "heat");
    await until("null null false alien heat");
  });
});
