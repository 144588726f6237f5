// The demo page, as a person uses it: by the names and roles of what is on it.
import { Key, type WebElement } from "selenium-webdriver";
import type { Browser } from "./browser.ts";

/** What the gate's panel says. */
export interface Panel {
  state: string;
  epoch: string;
  gate: string;
}

/** A line of the log. */
export interface Event {
  text: string;
  outcome: string;
}

export type Kind = "Like" | "Save" | "Skip" | "Hide";

const CARDS = '[aria-label="Films"] > li';
const EVENTS = '[aria-label="Events, newest first"] > li';
const GATE = '[aria-labelledby="gate-title"]';

/** See the top of the file. */
export class FilmPage {
  readonly #browser: Browser;
  readonly #address: string;

  constructor(browser: Browser, address: string) {
    this.#browser = browser;
    this.#address = address;
  }

  /** Opens the page as at a first visit: nothing is stored. */
  async firstVisit(): Promise<void> {
    await this.#browser.empty(new URL("icon.svg", this.#address).href);
    await this.visit();
  }

  /** Opens the page. */
  async visit(): Promise<void> {
    await this.#browser.open(this.#address);
    await this.ready();
  }

  /** Loads the page again, when all is stored. */
  async reload(): Promise<void> {
    await this.saved();
    await this.#browser.reload();
    await this.ready();
  }

  /** Opens the page on a screen as small as a phone's. */
  async narrow(width: number, height: number): Promise<void> {
    await this.saved();
    await this.#browser.openFrame(this.#address, width, height);
    await this.ready();
  }

  /** Waits until the films are there, and all around them. */
  async ready(): Promise<void> {
    await this.#browser.until(
      "page",
      () => this.#browser.all("main", "aria-busy"),
      ([busy]) => busy === "false",
    );
    await this.#browser.until(
      "films",
      () => this.films(),
      (films) => films.length > 0,
    );
  }

  /** Waits until all is stored. The feed follows then. */
  async saved(): Promise<void> {
    await this.#browser.until(
      "storing",
      () => this.#browser.text('[aria-label="Counters"]'),
      (text) => text.includes("All is saved on this device."),
    );
  }

  async panel(): Promise<Panel> {
    const [state = "", epoch = ""] = await this.#browser.all(`${GATE} dd`);
    return { state, epoch, gate: await this.#browser.text(`${GATE} h2 + p`) };
  }

  /** Waits until the gate's panel says so. */
  async shows(panel: Panel): Promise<void> {
    await this.#browser.until(
      "panel",
      () => this.panel(),
      (now) => JSON.stringify(now) === JSON.stringify(panel),
    );
    await this.saved();
  }

  /** How many words the device has learned from, and how many of them counted in the community on view. */
  async tallies(): Promise<{ learned: number; counted: number }> {
    const [, counted = -1, learned = -1] = (await this.#browser.all(`${GATE} p > b`)).map(Number);
    return { learned, counted };
  }

  /** The films of the feed, best first. */
  async films(): Promise<string[]> {
    return this.#browser.all(CARDS, "data-film");
  }

  /** What the community, or the cohort, adds to the scores of the films on view. */
  async parts(name: "local" | "community" | "cohort"): Promise<number[]> {
    const labels = await this.#browser.all(`${CARDS} [role="img"]`, "aria-label");
    return labels.map((label) => Number(label.replace("−", "-").match(new RegExp(`${name} (-?[\\d.]+)`))?.[1]));
  }

  async profile(): Promise<{ signals: number; seen: number; hidden: number }> {
    const counts = await this.#browser.text("h2#films-title + p");
    const [, seen = "", hidden = ""] = counts.match(/(\d+) seen · (\d+) hidden/) ?? [];
    return { signals: (await this.tallies()).learned, seen: Number(seen), hidden: Number(hidden) };
  }

  /** The log, newest first. */
  async events(): Promise<Event[]> {
    const texts = await this.#browser.all(`${EVENTS} > span`);
    const outcomes = await this.#browser.all(`${EVENTS} > b`);
    return texts.map((text, line) => ({ text, outcome: outcomes[line] ?? "" }));
  }

  /** What the lane of a community says to who does not see it. */
  async lane(community: string): Promise<string> {
    const labels = await this.#browser.all('figure [role="img"]', "aria-label");
    return labels.find((label) => label.startsWith(`${community}:`)) ?? "";
  }

  /** A control that can be seen, by its name. */
  async control(name: string): Promise<WebElement> {
    const found = await this.#browser.driver.executeScript<WebElement | null>(
      `const nameOf = (element) => (element.getAttribute("aria-label") ?? element.textContent).trim();
       return Array.from(document.querySelectorAll("button, a, label"))
         .find((element) => nameOf(element) === arguments[0] && element.getClientRects().length > 0) ?? null`,
      name,
    );
    if (found === null) throw new Error(`there is no ${name}`);
    return found;
  }

  /** Presses a control. */
  async press(name: string): Promise<void> {
    await (await this.#inView(await this.control(name))).click();
  }

  /** WebKit's driver does not scroll what scrolls within the page. */
  async #inView(element: WebElement): Promise<WebElement> {
    await this.#browser.driver.executeScript("arguments[0].scrollIntoView({ block: 'center' })", element);
    return element;
  }

  /** Joins, leaves or rejoins the community on view, and waits until the panel and the feed say so. */
  async member(action: string, panel: Panel): Promise<void> {
    await this.press(action);
    await this.shows(panel);
    await this.#follows(panel.gate === "Open");
  }

  /** Waits until the feed, which is rendered after the panel, has the community's part in it, or has it no more. */
  async #follows(isOpen: boolean): Promise<void> {
    await this.#browser.until(
      "feed",
      () => this.parts("community"),
      (parts) => parts.some((part) => part > 0) === isOpen,
    );
  }

  /** Turns the switch over all communities, as a member of the one on view. */
  async switchLayer(on: boolean): Promise<void> {
    await (await this.#browser.element('[role="switch"]')).click();
    const checked = (): Promise<string[]> => this.#browser.all('[role="switch"]', "aria-checked");
    await this.#browser.until("layer", checked, ([state]) => state === String(on));
    await this.saved();
    await this.#follows(on);
  }

  /** Puts a community on view. */
  async choose(community: string): Promise<void> {
    const radio = await this.#browser.element(`input[type="radio"][value="${community}"]`);
    await this.#browser.driver.executeScript("arguments[0].closest('label').click()", radio);
    const chosen = (): Promise<boolean> => radio.isSelected();
    await this.#browser.until("community", chosen, (is) => is);
  }

  /** Presses a button of the first film; tells the film and what became of the signal. */
  async signal(kind: Kind | Lowercase<Kind>): Promise<{ film: string; outcome: string }> {
    return this.#signal(async () => (await this.button(kind)).click());
  }

  /** The same with the keyboard alone: the button has the focus already. */
  async signalByKey(): Promise<{ film: string; outcome: string }> {
    return this.#signal(() => this.keys(Key.ENTER));
  }

  /** A button of the first film, when the cards have come to rest. */
  async button(kind: Kind | Lowercase<Kind>): Promise<WebElement> {
    const moving = "return document.querySelector('[aria-label=Films]').getAnimations({ subtree: true }).length";
    await this.#browser.until(
      "cards at rest",
      () => this.#browser.driver.executeScript<number>(moving),
      (cards) => cards === 0,
    );
    const name = `${kind.charAt(0).toUpperCase()}${kind.slice(1)} `;
    return this.#inView(await this.#browser.element(`${CARDS} button[aria-label^="${name}"]`));
  }

  async keys(...keys: string[]): Promise<void> {
    await this.#browser.driver
      .actions()
      .sendKeys(...keys)
      .perform();
  }

  /** The accessible name and role of what has the focus. */
  async focused(): Promise<{ name: string; role: string }> {
    const element = this.#browser.driver.switchTo().activeElement();
    return { name: await element.getAccessibleName(), role: await element.getAriaRole() };
  }

  /** Waits until something of this name has the focus. */
  async focusOn(name: RegExp): Promise<void> {
    await this.#browser.until(
      "focus",
      () => this.focused(),
      (focused) => name.test(focused.name),
    );
  }

  async #signal(press: () => Promise<void>): Promise<{ film: string; outcome: string }> {
    const before = (await this.profile()).signals;
    const [film = ""] = await this.films();
    await press();
    await this.#browser.until(
      "signals",
      () => this.profile(),
      ({ signals }) => signals === before + 1,
    );
    await this.saved();
    const [event] = await this.events();
    return { film, outcome: event?.outcome ?? "" };
  }
}
