// The library itself in real browsers, on their own IndexedDB, bundled as an app would bundle it.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { at } from "../../tools/lib/project.mjs";
import { BROWSERS, Browser } from "./support/browser.ts";
import { type Built, serveBuilt } from "./support/built.ts";

let built: Built;
beforeAll(async () => {
  built = await serveBuilt(at("tests", "browser", "library"));
});
afterAll(() => built?.close());

describe.each(BROWSERS)("the library in %s", (name) => {
  let browser: Browser;

  /** Loads the page anew, so that nothing is left in memory, and tells its answer. */
  async function visit(step: string): Promise<unknown> {
    await browser.open(`${built.address}?${step}`);
    const answer = await browser.until(
      step,
      () => browser.text("#answer"),
      (text) => text !== "",
    );
    return JSON.parse(answer);
  }

  beforeAll(async () => {
    browser = await Browser.open(name);
  });
  afterAll(() => browser?.quit());
  beforeEach(async () => {
    // An address that asks for nothing opens no database.
    await browser.empty(`${built.address}?nothing`);
    expect(await visit("write")).toEqual({ persistent: true, epoch: 0, outcome: "Recorded", pending: 0 });
  });
  afterEach(() => {
    expect(browser.complaints.splice(0)).toEqual([]);
  });

  const stored = { epoch: 0, layer: "Active", signals: 1, found: ["a book"] };

  it("knows after a reload what was flushed before", async () => {
    expect(await visit("read")).toEqual({ ...stored, state: "Joined", contributing: true, shared: true });
  });

  it("writes nothing when it is opened, read and closed", async () => {
    expect(await visit("idle")).toEqual({ writes: [], readwrite: [], same: true, stored: true });
  });

  it("stores a leave with strict durability, and is left after a reload", async () => {
    expect(await visit("leave")).toEqual({
      outcome: "Left",
      writes: ["add log"],
      transactions: [{ mode: "readwrite", durability: "strict" }],
    });
    const left = { ...stored, signals: 2, found: [], state: "Left", contributing: false, shared: false };
    expect(await visit("read")).toEqual(left);
  });

  it("stores a signal without asking for more durability than the default", async () => {
    const { transactions } = (await visit("signal")) as { transactions: unknown[] };
    expect(transactions).toEqual([{ mode: "readwrite", durability: "relaxed" }]);
  });

  it("keeps the epoch of a rejoin and the layer's state over a reload", async () => {
    await visit("leave");
    expect(await visit("rejoin")).toEqual({ epoch: 1, status: "Left" });
    const answer = { state: "Rejoined", epoch: 1, contributing: false, layer: "Left", shared: false };
    expect(await visit("read")).toMatchObject(answer);
  });
});
