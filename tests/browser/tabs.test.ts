// Two and five tabs of a real browser with one database.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { at } from "../../tools/lib/project.mjs";
import { BROWSERS, Browser } from "./support/browser.ts";
import { type Built, serveBuilt } from "./support/built.ts";
import { newSeed } from "./support/random.ts";
import { Tabs } from "./support/tabs.ts";
import { told, within } from "./support/times.ts";

/** How often a leave is timed. */
const ROUNDS = 100;
/** How many things each tab does at random. */
const STEPS = 200;

let built: Built;
beforeAll(async () => {
  built = await serveBuilt(at("tests", "browser", "tabs"));
});
afterAll(() => built?.close());

describe.each(BROWSERS)("tabs in %s", (name) => {
  let browser: Browser;
  let tabs: Tabs;

  beforeAll(async () => {
    browser = await Browser.open(name);
    await browser.driver.manage().setTimeouts({ script: 60_000 });
    tabs = new Tabs(browser, built.address);
  });
  afterAll(() => browser?.quit());

  /** Waits until all tabs have folded the same log to the same bytes. */
  async function untilTheSame(): Promise<string> {
    const bytes = (): Promise<string[]> => tabs.callEach("bytes");
    const [same = ""] = await browser.until("bytes", bytes, (all) => new Set(all).size === 1);
    return same;
  }

  it.each([2, 5])("of %i, a leave in one is in force in all others well within a second", async (count) => {
    await tabs.open(count);
    const [first, ...others] = tabs.all;
    for (const other of others) await tabs.call(other, "echo");
    const took = await tabs.call<number[]>(first, "rounds", ROUNDS, others.length);
    const which = count === 2 ? "the other tab" : `all of ${others.length} other tabs`;
    console.info(`${name}: a leave is in force in ${which} after ${told(took)}`);
    expect(took).toHaveLength(ROUNDS);
    expect(within(took, 0.99)).toBeLessThan(1000);
    await untilTheSame();
    for (const tab of tabs.all) expect(await tabs.call(tab, "look")).toMatchObject({ state: "Left", outcome: "Left" });
  });

  it.each([
    ["every message arrives", 0],
    ["every other message is lost", 0.5],
    ["no message arrives", 1],
  ])("five that signal, leave and rejoin at random hold the same bytes once caught up, where %s", async (_, loss) => {
    const seed = newSeed();
    await tabs.open(5);
    await tabs.callEach("join");
    for (const [index, tab] of tabs.all.entries()) await tabs.call(tab, "ready", seed + index, STEPS, loss);
    await tabs.call(tabs.all[0], "go");
    const played = await tabs.callEach<Played>("played");
    const total = (what: "recorded" | "gated" | "leaves" | "sent" | "lost"): number =>
      played.reduce((sum, tab) => sum + tab[what], 0);
    expect(played.flatMap(({ wrong }) => wrong)).toEqual([]);
    await tabs.callEach("meet");
    const same = await untilTheSame();
    console.info(
      `${name}: ${total("recorded")} signals recorded and ${total("gated")} gated, ${total("leaves")} leaves, ` +
        `${total("lost")} of ${total("sent")} messages lost, ${same.split(":")[0]} (TIDEGATE_SEED=${seed})`,
    );
    // A page that has folded nothing but what is stored.
    await tabs.visit();
    expect(await browser.call("tab", "bytes")).toBe(same);
  });
});

/** What a tab has done at random. */
interface Played {
  wrong: string[];
  recorded: number;
  gated: number;
  leaves: number;
  /** Messages. */
  sent: number;
  lost: number;
}
