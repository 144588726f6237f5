// Chromium that is killed, and what the same profile comes back with: the page's process alone, and the whole browser.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { at } from "../../tools/lib/project.mjs";
import type { Fact } from "./kill/facts.ts";
import { Rounds, type Trigger } from "./kill/rounds.ts";
import { BROWSERS, Browser } from "./support/browser.ts";
import { type Built, serveBuilt } from "./support/built.ts";
import { busiestRenderer } from "./support/processes.ts";
import { newSeed, Random } from "./support/random.ts";
import { type FactServer, serveFacts } from "./support/server.ts";
import { Tabs } from "./support/tabs.ts";
import { told } from "./support/times.ts";

/** How often the whole browser is killed in a stream of flushes and compactions. */
const STREAMS = 50;
/** How often it is killed right after a leave, most times before `durable` settles. */
const LEAVES = 25;
/** How often Chromium may say that it has deleted its own files: it does so about once in several hundred kills. */
const LOSSES = 2;
/** How many leaves are timed. */
const TIMED = 100;

// Other browsers give their pages' processes no command line to find them by.
describe.runIf(BROWSERS.includes("chromium"))("Chromium, its page's process killed", () => {
  let built: Built;
  let browser: Browser;
  beforeAll(async () => {
    built = await serveBuilt(at("tests", "browser", "tabs"));
  });
  afterAll(() => built?.close());
  // A browser has no further use for a tab whose process was killed.
  beforeEach(async () => {
    browser = await Browser.open("chromium");
  });
  afterEach(() => browser?.quit());

  it.each([
    ["right after leave", "leaveAndHang"],
    ["inside a pagehide handler that leaves", "leaveInPagehide"],
  ])("%s, comes back left", async (_, leave) => {
    const tabs = new Tabs(browser, built.address);
    await tabs.open(1);
    const [first] = tabs.all;
    expect(await tabs.call(first, "join")).toBe(0);
    expect(await tabs.call(first, "look")).toEqual({ state: "Joined", outcome: "Recorded", tombstones: 0 });
    await browser.driver.switchTo().newWindow("tab");
    const second = await browser.driver.getWindowHandle();
    await tabs.call(first, leave);
    process.kill(await busiestRenderer(), "SIGKILL");
    await browser.driver.switchTo().window(second);
    await tabs.visit();
    expect(await browser.call("tab", "look")).toEqual({ state: "Left", outcome: "Left", tombstones: 0 });
  });
});

describe.runIf(BROWSERS.includes("chromium"))("Chromium, killed whole", () => {
  let built: Built;
  let server: FactServer<Fact>;
  let profile: string;
  let rounds: Rounds;
  beforeAll(async () => {
    built = await serveBuilt(at("tests", "browser", "kill"));
    server = await serveFacts<Fact>();
  });
  beforeEach(() => {
    profile = mkdtempSync(join(tmpdir(), "tidegate-profile-"));
    rounds = new Rounds(profile, built.address, server);
  });
  afterEach(async () => {
    await rounds.end();
    rmSync(profile, { recursive: true });
  });
  afterAll(async () => {
    await server?.close();
    await built?.close();
  });

  /** Opens the profile once more; fails where anything is lost. */
  const reopen = () => rounds.play({ do: "nothing" }, ({ type }) => (type === "opened" ? 0 : undefined));

  it("has lost nothing that flush or durable acknowledged, and is never joined again after such a leave", async () => {
    const seed = newSeed();
    const random = new Random(seed);
    console.info(`kill test: TIDEGATE_SEED=${seed}`);
    const stages = new Map<string, number>();
    const counts = { flush: 0, durable: 0, compacted: 0 };
    for (let round = 0; round < STREAMS; round++) {
      const [stage, trigger] = someStage(random);
      const { facts } = await rounds.play({ do: "stream", seed: random.below(2 ** 32) }, trigger);
      stages.set(stage, (stages.get(stage) ?? 0) + 1);
      for (const fact of facts) {
        if (fact.type === "stored") counts[fact.by]++;
        if (fact.type === "compacted") counts.compacted++;
      }
    }
    const { found } = await reopen();
    const perStage = [...stages].map(([stage, count]) => `${count} ${stage}`).join(", ");
    console.info(
      `chromium killed: ${perStage}; ${counts.flush} flushes and ${counts.durable} leaves acknowledged, ` +
        `${counts.compacted} compactions; ${found.signals} signals and ${found.step + 1} joins and leaves at last; ` +
        `its own files found damaged ${rounds.losses.length} times ${rounds.losses.join("; ")}`,
    );
    expect(rounds.losses.length).toBeLessThanOrEqual(LOSSES);
    // The stream got somewhere, and each kind of thing was done.
    expect(Math.min(counts.flush, counts.durable, counts.compacted)).toBeGreaterThan(STREAMS / 10);
  }, 300_000);

  it("between leave and durable, comes back with the leave or without, and with all that was before it", async () => {
    const seed = newSeed();
    const random = new Random(seed);
    const times = { killed: 0, left: 0, late: 0 };
    let wasDurable: boolean | undefined;
    const count = (step: number): void => {
      if (wasDurable === undefined) return;
      if (wasDurable) times.late++;
      else {
        times.killed++;
        if (step % 2 === 1) times.left++;
      }
    };
    for (let round = 0; round < LEAVES; round++) {
      const delay = random.below(3);
      const { found, facts } = await rounds.play({ do: "leave" }, ({ type }) => (type === "left" ? delay : undefined));
      count(found.step);
      wasDurable = facts.some((fact) => fact.type === "stored" && fact.by === "durable");
    }
    count((await reopen()).found.step);
    console.info(
      `chromium killed between leave and durable: ${times.left} of ${times.killed} times left when it came back; ` +
        `${times.late} times durable was quicker, and it came back left (TIDEGATE_SEED=${seed})`,
    );
  });

  it("damaged in its files, says so, comes back without members, and goes on", async () => {
    const storedOnce: Trigger = (fact) => (fact.type === "stored" && fact.by === "flush" ? 0 : undefined);
    await rounds.play({ do: "stream", seed: 1 }, storedOnce);
    expect(rounds.stored.signals + rounds.stored.step).toBeGreaterThan(-1);
    damageDatabases(profile);
    await rounds.play({ do: "stream", seed: 2 }, storedOnce);
    expect(rounds.losses).toHaveLength(1);
    await reopen();
    expect(rounds.losses).toHaveLength(1);
  });

  it("tells how long durable takes, and comes back left after it", async () => {
    const task = { do: "durable", rounds: TIMED } as const;
    const { facts } = await rounds.play(task, ({ type }) => (type === "durable" ? 0 : undefined));
    const took = facts.flatMap((fact) => (fact.type === "durable" ? fact.took : []));
    expect(took).toHaveLength(TIMED);
    console.info(`chromium: durable settles after ${told(took)}`);
    rounds.made.step++;
    expect((await reopen()).found.step % 2).toBe(1);
  });
});

/** Cuts a record of the log under IndexedDB short and lets another follow, as kills do in Chromium now and then. */
function damageDatabases(profile: string): void {
  const files = readdirSync(profile, { recursive: true, encoding: "utf8" });
  const logs = files.filter((file) => /\.indexeddb\.leveldb\/[0-9]+\.log$/.test(file));
  expect(logs.length).toBeGreaterThan(0);
  for (const log of logs) {
    const path = join(profile, log);
    const bytes = readFileSync(path);
    writeFileSync(path, Buffer.concat([bytes.subarray(0, bytes.length - 10), bytes]));
  }
}

/** A moment to kill a browser in. */
function someStage(random: Random): [stage: string, trigger: Trigger] {
  let left = random.below(6);
  const nth = (is: (fact: Fact) => boolean, delay: number): Trigger => {
    return (fact) => (is(fact) && left-- === 0 ? delay : undefined);
  };
  const stages: (() => [string, Trigger])[] = [
    () => ["after a flush", nth((fact) => fact.type === "stored" && fact.by === "flush", 0)],
    () => ["after durable", nth((fact) => fact.type === "stored" && fact.by === "durable", 0)],
    () => ["in a flush", nth(({ type }) => type === "flushing", random.below(6))],
    () => ["in a compaction", nth(({ type }) => type === "compacting", random.below(10))],
    () => ["at any time", nth(({ type }) => type === "making", random.below(50))],
  ];
  const stage = stages[random.below(stages.length)];
  if (stage === undefined) throw new Error("no stage");
  return stage();
}
