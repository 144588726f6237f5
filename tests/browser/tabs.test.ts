// Two tabs of a real browser, and a page whose process is killed.
import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { at } from "../../tools/lib/project.mjs";
import { BROWSERS, Browser } from "./support/browser.ts";
import { type Built, serveBuilt } from "./support/built.ts";

/** How often a leave is timed. */
const ROUNDS = 100;

let built: Built;
beforeAll(async () => {
  built = await serveBuilt(at("tests", "browser", "tabs"));
});
afterAll(() => built?.close());

describe.each(BROWSERS)("tabs in %s", (name) => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await Browser.open(name);
    await browser.driver.manage().setTimeouts({ script: 60_000 });
  });
  afterAll(() => browser?.quit());

  /** Calls into the page of the tab that has the focus. */
  async function call<T>(method: string, ...args: unknown[]): Promise<T> {
    const answer: { value?: T; error?: string } = await browser.driver.executeAsyncScript(
      `const done = arguments[arguments.length - 1];
       Promise.resolve(tab[arguments[0]](...arguments[1])).then((value) => done({ value }), (error) => done({ error: String(error) }));`,
      method,
      args,
    );
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer.value as T;
  }

  /** Opens the page in the tab that has the focus, and waits until its database is open. */
  async function visit(): Promise<string> {
    await browser.open(built.address);
    const ready = (): Promise<boolean> => browser.driver.executeScript("return globalThis.tab !== undefined");
    await browser.until("database", ready, (is) => is);
    return browser.driver.getWindowHandle();
  }

  async function newTab(): Promise<void> {
    await browser.driver.switchTo().newWindow("tab");
  }

  beforeEach(async () => {
    const { driver } = browser;
    const [first = "", ...rest] = await driver.getAllWindowHandles();
    for (const handle of rest) {
      await driver.switchTo().window(handle);
      await driver.close();
    }
    await driver.switchTo().window(first);
    // An address of the origin that opens no database.
    await browser.empty(new URL("no-such-file.svg", built.address).href);
  });

  it("a leave in one is in force in the other well within a second, and both hold the same bytes", async () => {
    const first = await visit();
    await newTab();
    const second = await visit();
    await call("echo");
    await browser.driver.switchTo().window(first);
    const took = (await call<number[]>("rounds", ROUNDS)).sort((a, b) => a - b);
    const at = (share: number): number => took[Math.floor((took.length - 1) * share)] ?? Number.NaN;
    const times = `p50 ${at(0.5).toFixed(1)} ms, p99 ${at(0.99).toFixed(1)} ms, longest ${at(1).toFixed(1)} ms`;
    console.info(`${name}: a leave is in force in another tab after ${times} (${took.length} runs)`);
    expect(took).toHaveLength(ROUNDS);
    expect(at(0.99)).toBeLessThan(1000);
    const here = (): Promise<string> => call("bytes");
    await browser.driver.switchTo().window(second);
    const theirs = await here();
    await browser.driver.switchTo().window(first);
    await browser.until("bytes", here, (bytes) => bytes === theirs);
  });

  // Firefox gives its pages' processes no command line to find them by.
  if (name === "chromium") {
    it("a page whose process is killed right after leave comes back left", async () => {
      const first = await visit();
      expect(await call("join")).toBe(0);
      await newTab();
      const second = await browser.driver.getWindowHandle();
      await browser.driver.switchTo().window(first);
      expect(await call("look")).toMatchObject({ state: "Joined", outcome: "Recorded" });
      await call("leaveAndHang");
      process.kill(await busiestRenderer(), "SIGKILL");
      await browser.driver.switchTo().window(second);
      await visit();
      expect(await call("look")).toEqual({ state: "Left", outcome: "Left", tombstones: 0 });
    });
  }
});

/** The process of the page that hangs: of the renderers that this process started, the one that is at work. */
async function busiestRenderer(): Promise<number> {
  const before = renderers();
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const work = [...renderers()].map(([pid, time]) => ({ pid, time: time - (before.get(pid) ?? time) }));
  const [busiest] = work.sort((a, b) => b.time - a.time);
  if (busiest === undefined || busiest.time === 0) throw new Error("no page hangs");
  return busiest.pid;
}

/** The processor time of each renderer below this process. */
function renderers(): Map<number, number> {
  const parents = new Map<number, number>();
  const found = new Map<number, number>();
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "latin1");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      parents.set(Number(name), Number(fields[1]));
      const isRenderer = readFileSync(`/proc/${name}/cmdline`, "latin1").includes("--type=renderer");
      if (isRenderer) found.set(Number(name), Number(fields[11]) + Number(fields[12]));
    } catch {
      // It ended meanwhile.
    }
  }
  const isOurs = (pid: number | undefined): boolean =>
    pid !== undefined && (pid === process.pid || isOurs(parents.get(pid)));
  return new Map([...found].filter(([pid]) => isOurs(pid)));
}
