// The demo page, as a person uses it.
import { Key } from "selenium-webdriver";
import type { Browser } from "./browser.ts";

/** What the panel says. */
export interface Panel {
  state: string;
  epoch: string;
  gate: string;
}

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
    await this.#ready();
  }

  /** Loads the page again, when all is stored. */
  async reload(): Promise<void> {
    await this.saved();
    await this.#browser.reload();
    await this.#ready();
  }

  /** Opens the page on a screen as small as a phone's. */
  async narrow(width: number, height: number): Promise<void> {
    await this.saved();
    await this.#browser.openFrame(this.#address, width, height);
    await this.#ready();
  }

  async saved(): Promise<void> {
    const storing = (): Promise<string[]> => this.#browser.all(id("storing"), "data-storing");
    await this.#browser.until("storing", storing, ([state]) => state === "saved");
  }

  async panel(): Promise<Panel> {
    const [state = "", epoch = "", gate = ""] = await this.#browser.all(["state", "epoch", "gate"].map(id).join());
    return { state, epoch, gate };
  }

  /** What became of the last signal. */
  async outcome(): Promise<string> {
    return this.#browser.text(id("outcome"));
  }

  /** The ids of the films in the feed, best first. */
  films(): Promise<string[]> {
    return this.#browser.all(id("card"), "data-film");
  }

  /** What is said above the feed. */
  summary(): Promise<string> {
    return this.#browser.text(id("summary"));
  }

  /** The community's part of the score of each film in the feed. */
  async communityParts(): Promise<number[]> {
    const parts = await this.#browser.all(`${id("card")} ${id("community")}`);
    return parts.map((part) => Number(part.replace("−", "-")));
  }

  /** "3 signals, 2 seen, 1 hidden" as numbers. */
  async profile(): Promise<{ signals: number; seen: number; hidden: number }> {
    const [signals = -1, seen = -1, hidden = -1] = (await this.#browser.text(id("profile-counts")))
      .split(",")
      .map(parseFloat);
    return { signals, seen, hidden };
  }

  /** Presses the button for joining, leaving or rejoining, which has to be the one asked for. */
  async press(action: "Join" | "Leave" | "Rejoin", then: string): Promise<void> {
    const label = await this.#browser.text(id("membership"));
    if (!label.startsWith(`${action} `)) throw new Error(`the button says ${label}`);
    await (await this.#browser.element(id("membership"))).click();
    await this.#browser.until(
      "state",
      () => this.panel(),
      ({ state }) => state === then,
    );
  }

  async switchLayer(on: boolean): Promise<void> {
    await (await this.#browser.element(id("layer"))).click();
    const checked = (): Promise<string[]> => this.#browser.all(id("layer"), "aria-checked");
    await this.#browser.until("layer", checked, ([state]) => state === String(on));
  }

  async choose(community: string): Promise<void> {
    await (await this.#browser.element(id(`community-${community}`))).click();
    const chosen = (): Promise<string[]> => this.#browser.all("#communities input:checked", "value");
    await this.#browser.until("community", chosen, ([value]) => value === community);
  }

  /** Presses a button of the first film; tells the film and what became of the signal. */
  async signal(kind: "like" | "save" | "skip" | "hide"): Promise<{ film: string; outcome: string }> {
    return this.#signal(kind, async () => (await this.#browser.element(`${id("card")} ${id(kind)}`)).click());
  }

  /** The same with the keyboard alone: the button has the focus already. */
  async signalByKey(kind: "like" | "save" | "skip" | "hide"): Promise<{ film: string; outcome: string }> {
    return this.#signal(kind, () => this.keys(Key.ENTER));
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

  async #signal(kind: string, press: () => Promise<void>): Promise<{ film: string; outcome: string }> {
    const before = (await this.profile()).signals;
    const [film = ""] = await this.films();
    await press();
    await this.#browser.until(
      `signals after ${kind}`,
      () => this.profile(),
      ({ signals }) => signals === before + 1,
    );
    return { film, outcome: await this.outcome() };
  }

  async #ready(): Promise<void> {
    await this.#browser.until(
      "films",
      () => this.films(),
      (films) => films.length > 0,
    );
  }
}

/** The selector of a part of the page. */
export function id(name: string): string {
  return `[data-testid="${name}"]`;
}
