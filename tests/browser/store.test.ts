// What every store does (tests/js/storage-acceptance.ts), shown of the real IndexedDB of each browser. The cases run in a
// page; here each has its name and its result.
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { at } from "../../tools/lib/project.mjs";
import { acceptStore } from "../js/storage-acceptance.ts";
import type { Result } from "./store/main.ts";
import * as page from "./store/vitest.ts";
import { BROWSERS, Browser, program } from "./support/browser.ts";
import { type Built, serveBuilt } from "./support/built.ts";
import { BrowserProcess } from "./support/processes.ts";
import { type FactServer, serveFacts } from "./support/server.ts";
import { type Screen, virtualScreen } from "./support/webkit.ts";

// For the titles only: nothing is run here.
acceptStore(
  "IndexedDB",
  () => ({
    open: () => {
      throw new Error("the cases run in a page");
    },
    fail: { full: () => {}, aborted: () => {}, lost: () => {} },
  }),
  page,
);
const titles = [...page.cases.keys()];

let built: Built;
beforeAll(async () => {
  const vitest = fileURLToPath(new URL("store/vitest.ts", import.meta.url));
  built = await serveBuilt(at("tests", "browser", "store"), { vitest });
});
afterAll(() => built?.close());

describe.each(BROWSERS)("IndexedDB of %s as a store", (name) => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await Browser.open(name);
    await browser.open(built.address);
    const there = (): Promise<boolean> => browser.driver.executeScript("return globalThis.suite !== undefined");
    await browser.until("suite", there, (is) => is);
  });
  afterAll(() => browser?.quit());

  it("has the cases that it has elsewhere", async () => {
    expect(await browser.driver.executeScript("return suite.titles")).toEqual(titles);
  });

  it.each(titles)("%s", async (title) => {
    const problem = await browser.driver.executeAsyncScript<string | null>(
      "const done = arguments[arguments.length - 1]; suite.run(arguments[0]).then(done);",
      title,
    );
    expect(problem, problem ?? undefined).toBeNull();
  });
});

// A driven WebKitGTK keeps what it stores in memory. Without a driver it is on disk, in other code.
describe.runIf(BROWSERS.includes("webkit"))("IndexedDB of webkit on disk as a store", () => {
  const results = new Map<string, string | null>();
  let folder: string;
  let server: FactServer<Result>;
  let screen: Screen;
  let browser: BrowserProcess;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "tidegate-webkit-"));
    server = await serveFacts<Result>();
    screen = await virtualScreen(program("xvfb"));
    const all = new Promise<void>((resolve) => {
      server.listen(({ title, problem }) => {
        results.set(title, problem);
        if (results.size === titles.length) resolve();
        return null;
      });
    });
    const address = `${built.address}?facts=${encodeURIComponent(server.address)}`;
    browser = BrowserProcess.webKit(program("minibrowser"), folder, address, screen.env);
    await all;
  });
  afterAll(async () => {
    await browser?.kill();
    screen?.end();
    await server?.close();
    if (folder !== undefined) rmSync(folder, { recursive: true });
  });

  it("has stored it in files", () => {
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
    expect(files.filter((file) => file.endsWith("IndexedDB.sqlite3")).length).toBeGreaterThan(0);
  });

  it.each(titles)("%s", (title) => {
    const problem = results.get(title);
    expect(problem, problem ?? undefined).toBeNull();
  });
});
