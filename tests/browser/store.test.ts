// What every store does (tests/js/storage-acceptance.ts), shown of the real IndexedDB of each browser. The cases run in a
// page; here each has its name and its result.
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { at } from "../../tools/lib/project.mjs";
import { acceptStore } from "../js/storage-acceptance.ts";
import * as page from "./store/vitest.ts";
import { BROWSERS, Browser } from "./support/browser.ts";
import { type Built, serveBuilt } from "./support/built.ts";

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
