// The demo page in real browsers: what a person does, and what they see of it.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import axe, { type AxeResults } from "axe-core";
import { Key } from "selenium-webdriver";
import type chrome from "selenium-webdriver/chrome.js";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { at } from "../../tools/lib/project.mjs";
import { BROWSERS, Browser } from "./support/browser.ts";
import { type Built, serveBuilt } from "./support/built.ts";
import { FilmPage } from "./support/film-page.ts";

const NOBODY = { state: "Not a member", epoch: "–", gate: "Nothing shared" };
const JOINED = { state: "Joined", epoch: "0", gate: "Open" };
const LEFT = { state: "Left", epoch: "0", gate: "Closed" };
const REJOINED = { state: "Rejoined", epoch: "1", gate: "Open" };

const folder = mkdtempSync(join(tmpdir(), "tidegate-page-"));
let built: Built;
beforeAll(async () => {
  built = await serveBuilt(at("www"));
});
afterAll(async () => {
  await built?.close();
  rmSync(folder, { recursive: true });
});

describe.each(BROWSERS)("the page in %s", (name) => {
  let browser: Browser;
  let page: FilmPage;

  beforeAll(async () => {
    browser = await Browser.open(name);
    await browser.resize(1440, 900);
    page = new FilmPage(browser, inject("page"));
  });
  afterAll(() => browser?.quit());
  beforeEach(() => page.firstVisit());
  afterEach(() => {
    expect(browser.complaints.splice(0)).toEqual([]);
  });

  it("stops sharing on leave, learns on, stays left after a reload, rejoins under the next epoch and refuses a replay", async () => {
    expect(await page.panel()).toEqual(NOBODY);
    const atFirst = await page.films();
    expect(await page.signal("Like")).toEqual({ film: atFirst[0], outcome: "Only on this device" });
    expect(await page.films()).not.toEqual(atFirst);
    expect(Math.max(...(await page.parts("community")))).toBe(0);

    await page.member("Join Film noir", JOINED);
    expect((await page.parts("community"))[0]).toBeGreaterThan(0);
    for (let likes = 0; likes < 3; likes++) expect((await page.signal("Like")).outcome).toBe("Counted");
    expect(await page.tallies()).toEqual({ learned: 4, counted: 3 });

    await page.member("Leave Film noir", LEFT);
    expect(Math.max(...(await page.parts("community")))).toBe(0);
    const onLeave = await page.films();
    expect(await page.signal("Like")).toEqual({ film: onLeave[0], outcome: "Only on this device: left" });
    expect(await page.tallies()).toEqual({ learned: 5, counted: 3 });
    const learned = await page.films();
    expect(learned).not.toContain(onLeave[0]);
    expect(learned).not.toEqual(onLeave.slice(1));
    expect(await page.lane("Film noir")).toBe(
      "Film noir: epoch 0, gate closed; 3 counted, 2 only on this device, 0 replayed and refused",
    );

    await page.reload();
    expect(await page.panel()).toEqual(LEFT);
    expect(await page.profile()).toEqual({ signals: 5, seen: 5, hidden: 0 });
    expect(await page.films()).toEqual(learned);
    expect((await page.signal("Like")).outcome).toBe("Only on this device: left");
    expect(await replayed()).toEqual(Array(3).fill("Refused: gate closed"));

    await page.member("Rejoin Film noir", REJOINED);
    expect((await page.signal("Like")).outcome).toBe("Counted");
    const before = await page.parts("community");
    expect(await replayed()).toEqual(Array(3).fill("Refused: earlier epoch"));
    expect(await page.tallies()).toEqual({ learned: 7, counted: 4 });
    expect(await page.parts("community")).toEqual(before);
    await page.reload();
    expect(await page.panel()).toEqual(REJOINED);
  });

  it("closes the gate of another tab, and tells how long that took", async () => {
    const { driver } = browser;
    await page.member("Join Film noir", JOINED);
    await page.saved();
    const first = await driver.getWindowHandle();
    await page.press("Open a second tab");
    const handles = await browser.until(
      "tabs",
      () => driver.getAllWindowHandles(),
      (all) => all.length === 2,
    );
    const second = handles.find((handle) => handle !== first) ?? "";
    await driver.switchTo().window(second);
    try {
      await page.ready();
      await page.shows(JOINED);
      expect((await page.signal("Like")).outcome).toBe("Counted");
      await driver.switchTo().window(first);
      await page.member("Leave Film noir", LEFT);
      await driver.switchTo().window(second);
      await page.shows(LEFT);
      expect((await page.signal("Like")).outcome).toBe("Only on this device: left");
      const heard = (await page.events()).find(({ text }) => text.startsWith("Heard that another tab left Film noir"));
      expect(heard?.outcome).toMatch(/^[\d.]+ ms$/);
      console.log(`${name}: another tab's gate was closed ${heard?.outcome} after the press`);
    } finally {
      await driver.close();
      await driver.switchTo().window(first);
    }
    const events = await page.events();
    expect(events.map(({ text }) => text)).toContain("Heard that another tab left Film noir: gate closed · other tab");
  });

  it("shares only what the share policy says", async () => {
    await page.press("Likes");
    await page.member("Join Film noir", JOINED);
    expect((await page.signal("Like")).outcome).toBe("Only on this device: not shared");
    expect((await page.signal("Save")).outcome).toBe("Counted");
    await page.reload();
    expect((await page.signal("Like")).outcome).toBe("Only on this device: not shared");
    await page.press("Likes");
    expect((await page.signal("Like")).outcome).toBe("Counted");
    expect(await page.panel()).toEqual(JOINED);
  });

  it("shares nothing anywhere while the community layer is off", async () => {
    await page.member("Join Film noir", JOINED);
    await page.switchLayer(false);
    expect(await page.panel()).toEqual({ ...JOINED, gate: "Closed" });
    expect(Math.max(...(await page.parts("community")))).toBe(0);
    expect((await page.signal("Like")).outcome).toBe("Only on this device: layer off");
    await page.control("Leave Film noir");
    await page.reload();
    expect((await page.signal("Like")).outcome).toBe("Only on this device: layer off");
    await page.switchLayer(true);
    expect(await page.panel()).toEqual(JOINED);
    expect((await page.signal("Like")).outcome).toBe("Counted");
  });

  it("keeps communities apart", async () => {
    await page.member("Join Film noir", JOINED);
    await page.choose("westerns");
    expect(await page.panel()).toEqual(NOBODY);
    expect((await page.signal("Like")).outcome).toBe("Only on this device");
    await page.member("Join Westerns", JOINED);
    await page.member("Leave Westerns", LEFT);
    await page.reload();
    expect(await page.panel()).toEqual(LEFT);
    await page.choose("film-noir");
    expect(await page.panel()).toEqual(JOINED);
    expect((await page.signal("Like")).outcome).toBe("Counted");
  });

  it("shows in every community what its neighbours like, and what a cohort likes", async () => {
    const communities = ["film-noir", "science-fiction", "westerns", "musicals", "horror", "romance"];
    const names = ["Film noir", "Science fiction", "Westerns", "Musicals", "Horror", "Romance"];
    for (const [place, community] of communities.entries()) {
      await page.choose(community);
      expect(Math.max(...(await page.parts("community")))).toBe(0);
      await page.member(`Join ${names[place]}`, JOINED);
      const parts = await page.parts("community");
      expect(parts).toHaveLength(11);
      // The rest is there for variety.
      expect(parts[0]).toBeGreaterThan(0);
      expect(parts.filter((part) => part > 0).length).toBeGreaterThanOrEqual(6);
    }
    expect(Math.max(...(await page.parts("cohort")))).toBe(0);
    await (await browser.element("select")).sendKeys("Night");
    await browser.until(
      "cohort",
      () => page.parts("cohort"),
      (parts) => Math.max(...parts) > 0,
    );
    await page.reload();
    expect(Math.max(...(await page.parts("cohort")))).toBeGreaterThan(0);
  });

  it("takes a film out of the feed that was skipped, hidden or saved; hiding can be undone", async () => {
    const skipped = await page.signal("Skip");
    const [hidden = ""] = await page.films();
    await (await page.button("Hide")).click();
    await browser.until(
      "hidden card",
      () => browser.text('[aria-label="Films"] > li'),
      (text) => text.includes("is hidden"),
    );
    const undo = await browser.element('button[aria-label^="Undo hiding "]');
    await undo.click();
    expect(await page.films()).toContain(hidden);
    expect(await page.profile()).toEqual({ signals: 1, seen: 1, hidden: 0 });
    // Whatever is done next makes it final.
    await (await page.button("Hide")).click();
    await page.press("Show more films");
    await browser.until(
      "hidden for good",
      () => page.profile(),
      (now) => now.hidden === 1,
    );
    const saved = await page.signal("Save");
    expect(await page.profile()).toEqual({ signals: 3, seen: 1, hidden: 1 });
    await page.reload();
    expect(await page.profile()).toEqual({ signals: 3, seen: 1, hidden: 1 });
    const films = await page.films();
    for (const gone of [skipped.film, hidden, saved.film]) expect(films).not.toContain(gone);
    const title = saved.film.replace(/ \(\d+\)$/, "");
    await page.press(`Like ${title}, which you saved`);
    await browser.until(
      "seen",
      () => page.profile(),
      (now) => now.seen === 2,
    );
  });

  it("gives a snapshot out, forgets the person, and takes the snapshot back without undoing a leave", async () => {
    await page.member("Join Film noir", JOINED);
    for (let likes = 0; likes < 2; likes++) await page.signal("Like");
    await page.press("Your data");
    const file = join(folder, `${name}.tide`);
    writeFileSync(file, await download());
    await page.member("Leave Film noir", LEFT);
    await page.press("Forget me");
    await page.press("Yes, forget all of it");
    await browser.until(
      "forgotten",
      () => page.profile(),
      ({ signals }) => signals === 0,
    );
    await page.reload();
    expect(await page.profile()).toEqual({ signals: 0, seen: 0, hidden: 0 });
    expect(await page.panel()).toEqual(LEFT);

    await page.press("Your data");
    await choose(file);
    await browser.until(
      "restored",
      () => page.profile(),
      ({ signals }) => signals === 2,
    );
    expect(await page.panel()).toEqual(LEFT);
    expect((await page.signal("Like")).outcome).toBe("Only on this device: left");
    await page.press("Your data");
    writeFileSync(file, "no snapshot");
    await choose(file);
    await browser.until(
      "refusal",
      () => browser.text('[role="alert"]'),
      (text) => text.includes("could not be restored"),
    );
    expect((await page.profile()).signals).toBe(3);
  });

  it("can be used with the keyboard alone", async () => {
    await page.keys(Key.TAB);
    expect(await page.focused()).toEqual({ name: "Skip to the films", role: "link" });
    await page.keys(Key.TAB);
    expect(await page.focused()).toEqual({ name: "Skip to the gate", role: "link" });
    await page.keys(Key.ENTER);
    await page.keys(Key.TAB);
    expect(await page.focused()).toEqual({ name: "Join Film noir", role: "button" });
    await page.keys(Key.ENTER);
    await page.shows(JOINED);
    expect(await page.focused()).toEqual({ name: "Leave Film noir", role: "button" });
    for (const kind of ["Likes", "Saves", "Skips"]) {
      await page.keys(Key.TAB);
      expect(await page.focused()).toEqual({ name: kind, role: "checkbox" });
    }
    await page.keys(Key.TAB);
    expect(await page.focused()).toEqual({ name: "Community layer", role: "switch" });

    await page.reload();
    await page.keys(Key.TAB);
    await page.keys(Key.ENTER);
    await page.keys(Key.TAB);
    await page.focusOn(/^Like /);
    expect((await page.signalByKey()).outcome).toBe("Counted");
    // The liked film is gone; the button of the film in its place has the focus.
    const [next] = await page.films();
    await page.focusOn(/^Like /);
    expect((await page.signalByKey()).film).toBe(next);
    await page.keys(Key.TAB, Key.TAB, Key.TAB, Key.ENTER);
    await page.focusOn(/^Undo hiding /);
    await page.keys(Key.ENTER);
    await page.focusOn(/^Hide /);
  });

  it("says what happens to who does not see it, and has no fault that axe-core finds", async () => {
    const said = (): Promise<string> => browser.text('[role="status"]');
    await page.signal("Like");
    expect(await said()).toMatch(/: only on this device\.$/);
    await page.member("Join Film noir", JOINED);
    expect(await said()).toBe("You are a member of Film noir, epoch 0. Gate open.");
    await page.signal("Save");
    await page.member("Leave Film noir", LEFT);
    expect(await said()).toBe("You left Film noir. Gate closed.");
    await page.signal("Like");
    await (await page.button("Hide")).click();
    expect(await faults()).toEqual([]);
    // What it finds elsewhere is no matter of the browser.
    if (name !== "chromium") return;
    for (const view of ["Profile", "Your data"]) {
      await page.press(view);
      expect(await faults()).toEqual([]);
    }
    const dark = [{ name: "prefers-color-scheme", value: "dark" }];
    const emulate = (features: object[]): Promise<void> =>
      (browser.driver as chrome.Driver).sendDevToolsCommand("Emulation.setEmulatedMedia", { features });
    await emulate(dark);
    expect(await faults()).toEqual([]);
    await emulate([]);
  });

  it("works when it is built for a static host", async () => {
    const there = new FilmPage(browser, built.address);
    await there.visit();
    expect((await there.signal("Like")).outcome).toBe("Only on this device");
  });

  it("asks no other host for anything, and fits a narrow screen", async () => {
    const { origin } = new URL(inject("page"));
    // WebKit does not tell the status.
    const fetched = await browser.driver.executeScript<[string, number | null][]>(
      "return performance.getEntriesByType('resource').map(({ name, responseStatus }) => [new URL(name).origin, responseStatus ?? null])",
    );
    expect(fetched.length).toBeGreaterThan(3);
    expect(fetched.filter(([from, status]) => from !== origin || (status ?? 200) !== 200)).toEqual([]);
    for (const width of [390, 820]) {
      await page.narrow(width, 844);
      const excess = "return document.documentElement.scrollWidth - document.documentElement.clientWidth";
      for (const view of ["Profile", "Your data", "Events"]) {
        await page.press(view);
        expect(await browser.driver.executeScript(excess)).toBe(0);
      }
      const tooSmall = `return Array.from(document.querySelectorAll("button, a:not(.skip-link), select, label"))
        .filter((one) => one.getClientRects().length > 0 && one.getBoundingClientRect().height < 44)
        .map((one) => one.textContent)`;
      expect(await browser.driver.executeScript(tooSmall)).toEqual([]);
      // Joining and leaving are at hand wherever one is.
      if (width === 390) {
        await (await browser.element('[aria-label="The gate in brief"] button')).click();
        await page.shows(JOINED);
      }
      await browser.driver.switchTo().defaultContent();
      await page.visit();
    }
  });

  /** Replays what is old, and tells what became of each event. */
  async function replayed(): Promise<string[]> {
    const replays = async (): Promise<string[]> =>
      (await page.events()).filter(({ text }) => text.startsWith("Replayed ")).map(({ outcome }) => outcome);
    const before = (await replays()).length;
    await page.press("Replay old events of Film noir");
    const all = await browser.until("replay", replays, ({ length }) => length > before);
    return all.slice(0, all.length - before);
  }

  /** What the page gives for download. */
  async function download(): Promise<Uint8Array> {
    const { driver } = browser;
    // In the page itself: Firefox runs a driver's scripts beside it.
    await driver.executeScript(
      "document.head.append(Object.assign(document.createElement('script'), { textContent: arguments[0] }))",
      `const make = URL.createObjectURL;
       URL.createObjectURL = (blob) => {
         globalThis.given = blob;
         return make.call(URL, blob);
       };`,
    );
    await page.press("Download the snapshot");
    const given = (): Promise<boolean> => driver.executeScript("return globalThis.given !== undefined");
    await browser.until("download", given, (is) => is);
    const bytes = "given.arrayBuffer().then((buffer) => arguments[0](Array.from(new Uint8Array(buffer))))";
    return Uint8Array.from(await driver.executeAsyncScript<number[]>(bytes));
  }

  /** Gives the page a file to restore. */
  async function choose(file: string): Promise<void> {
    const input = await browser.element('input[type="file"]');
    // It lies unseen over its label, and WebKit's driver does not touch what is not seen.
    await browser.driver.executeScript("arguments[0].style.opacity = 1", input);
    await input.sendKeys(file);
  }

  /** What axe-core finds on the page as it is, in words. */
  async function faults(): Promise<string[]> {
    await browser.driver.executeScript(axe.source);
    const run = "axe.run({ resultTypes: ['violations'] }).then(arguments[0], (error) => arguments[0](String(error)))";
    const { violations } = await browser.driver.executeAsyncScript<AxeResults>(run);
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
  }
});
