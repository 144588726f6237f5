// The demo page in real browsers: what a person does, and what they see of it.
import { Key } from "selenium-webdriver";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { at } from "../../tools/lib/project.mjs";
import { BROWSERS, Browser } from "./support/browser.ts";
import { type Built, serveBuilt } from "./support/built.ts";
import { FilmPage, id } from "./support/film-page.ts";

let built: Built;
beforeAll(async () => {
  built = await serveBuilt(at("www"));
});
afterAll(() => built?.close());

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

  it("stops sharing on leave, learns on, stays left after a reload, and rejoins under the next epoch", async () => {
    expect(await page.panel()).toEqual({ state: "Not a member", epoch: "–", gate: "Closed" });
    const atFirst = await page.films();
    expect(await page.signal("like")).toEqual({ film: atFirst[0], outcome: "NotMember" });
    expect(await page.films()).not.toEqual(atFirst);
    expect(Math.max(...(await page.communityParts()))).toBe(0);

    await page.press("Join", "Joined");
    expect(await page.panel()).toEqual({ state: "Joined", epoch: "0", gate: "Open" });
    expect((await page.communityParts())[0]).toBeGreaterThan(0);
    expect((await page.signal("like")).outcome).toBe("Recorded");

    await page.press("Leave", "Left");
    expect(await page.panel()).toEqual({ state: "Left", epoch: "0", gate: "Closed" });
    expect(Math.max(...(await page.communityParts()))).toBe(0);
    const onLeave = await page.films();
    expect(await page.signal("like")).toEqual({ film: onLeave[0], outcome: "Left" });
    const learned = await page.films();
    expect(learned).not.toContain(onLeave[0]);
    expect(learned).not.toEqual(onLeave.slice(1));

    await page.reload();
    expect(await page.panel()).toEqual({ state: "Left", epoch: "0", gate: "Closed" });
    expect(await page.outcome()).toBe("Left");
    expect(await page.profile()).toEqual({ signals: 3, seen: 3, hidden: 0 });
    expect(await page.films()).toEqual(learned);
    expect((await page.signal("like")).outcome).toBe("Left");

    await page.press("Rejoin", "Rejoined");
    expect(await page.panel()).toEqual({ state: "Rejoined", epoch: "1", gate: "Open" });
    expect((await page.signal("like")).outcome).toBe("Recorded");
    await page.reload();
    expect(await page.panel()).toEqual({ state: "Rejoined", epoch: "1", gate: "Open" });
  });

  it("shares nothing anywhere while the community layer is off", async () => {
    await page.press("Join", "Joined");
    await page.switchLayer(false);
    expect(await page.panel()).toEqual({ state: "Joined", epoch: "0", gate: "Closed" });
    expect(Math.max(...(await page.communityParts()))).toBe(0);
    expect((await page.signal("like")).outcome).toBe("LayerLeft");
    expect(await browser.text(id("membership"))).toBe("Leave Film noir");
    await page.reload();
    expect((await page.signal("like")).outcome).toBe("LayerLeft");
    await page.switchLayer(true);
    expect(await page.panel()).toEqual({ state: "Joined", epoch: "0", gate: "Open" });
    expect((await page.signal("like")).outcome).toBe("Recorded");
  });

  it("keeps communities apart", async () => {
    await page.press("Join", "Joined");
    await page.choose("westerns");
    expect(await page.panel()).toEqual({ state: "Not a member", epoch: "–", gate: "Closed" });
    expect((await page.signal("like")).outcome).toBe("NotMember");
    await page.press("Join", "Joined");
    await page.press("Leave", "Left");
    await page.reload();
    expect((await page.panel()).state).toBe("Left");
    await page.choose("film-noir");
    expect(await page.panel()).toEqual({ state: "Joined", epoch: "0", gate: "Open" });
    expect((await page.signal("like")).outcome).toBe("Recorded");
  });

  it("shows in every community what its neighbours like", async () => {
    for (const community of ["film-noir", "science-fiction", "westerns", "musicals"]) {
      await page.choose(community);
      expect(Math.max(...(await page.communityParts()))).toBe(0);
      await page.press("Join", "Joined");
      const parts = await page.communityParts();
      expect(parts).toHaveLength(12);
      expect(Math.min(...parts)).toBeGreaterThan(0);
    }
    await page.reload();
    expect(Math.min(...(await page.communityParts()))).toBeGreaterThan(0);
  });

  it("takes a film that was skipped or hidden out of the feed, and keeps one that was saved", async () => {
    const skipped = await page.signal("skip");
    const hidden = await page.signal("hide");
    expect(await page.profile()).toEqual({ signals: 2, seen: 1, hidden: 1 });
    const saved = await page.signal("save");
    expect(await page.summary()).toMatch(/^3.?200 films, 1 seen, 1 hidden$/);
    await page.reload();
    expect(await page.profile()).toEqual({ signals: 3, seen: 1, hidden: 1 });
    const films = await page.films();
    expect(films).not.toContain(skipped.film);
    expect(films).not.toContain(hidden.film);
    expect(films[0]).toBe(saved.film);
    expect(await browser.text(id("save"))).toBe("Saved");
  });

  it("can be used with the keyboard alone", async () => {
    await page.keys(Key.TAB);
    expect(await page.focused()).toEqual({ name: "Skip to the films", role: "link" });
    await page.keys(Key.TAB, Key.ARROW_DOWN, Key.ARROW_DOWN);
    expect(await page.focused()).toEqual({ name: "Westerns", role: "radio" });
    await page.keys(Key.TAB);
    expect(await page.focused()).toEqual({ name: "Join Westerns", role: "button" });
    await page.keys(Key.ENTER);
    await browser.until(
      "state",
      () => page.panel(),
      ({ state }) => state === "Joined",
    );
    expect(await page.focused()).toEqual({ name: "Leave Westerns", role: "button" });
    await page.keys(Key.TAB);
    expect(await page.focused()).toEqual({ name: "Community sharing", role: "switch" });
    await page.keys(Key.TAB);
    expect((await page.signalByKey("like")).outcome).toBe("Recorded");
    // The liked film is gone; the button of the film in its place has the focus.
    const [next] = await page.films();
    expect((await page.focused()).name).toMatch(/^Like /);
    expect((await page.signalByKey("like")).film).toBe(next);
  });

  it("works when it is built for a static host", async () => {
    const there = new FilmPage(browser, built.address);
    await there.visit();
    expect((await there.signal("like")).outcome).toBe("NotMember");
  });

  it("asks no other host for anything, and fits a narrow screen", async () => {
    const { origin } = new URL(inject("page"));
    // WebKit does not tell the status.
    const fetched = await browser.driver.executeScript<[string, number | null][]>(
      "return performance.getEntriesByType('resource').map(({ name, responseStatus }) => [new URL(name).origin, responseStatus ?? null])",
    );
    expect(fetched.length).toBeGreaterThan(3);
    expect(fetched.filter(([from, status]) => from !== origin || (status ?? 200) !== 200)).toEqual([]);
    await page.narrow(390, 844);
    const excess = "return document.documentElement.scrollWidth - document.documentElement.clientWidth";
    expect(await browser.driver.executeScript(excess)).toBe(0);
  });
});
