// Several tabs of one browser, each with the page of a test that has calls to offer.
import type { Browser } from "./browser.ts";

/** See the top of the file. */
export class Tabs {
  readonly #browser: Browser;
  readonly #address: string;
  /** The open tabs. */
  readonly all: string[] = [];

  constructor(browser: Browser, address: string) {
    this.#browser = browser;
    this.#address = address;
  }

  /** Closes all tabs but one and deletes what is stored, then opens so many. */
  async open(count: number): Promise<void> {
    const { driver } = this.#browser;
    const [first = "", ...rest] = await driver.getAllWindowHandles();
    for (const handle of rest) {
      await driver.switchTo().window(handle);
      await driver.close();
    }
    await driver.switchTo().window(first);
    // An address of the origin that opens no database.
    await this.#browser.empty(new URL("no-such-file.svg", this.#address).href);
    this.all.length = 0;
    for (let tab = 0; tab < count; tab++) {
      if (tab > 0) await driver.switchTo().newWindow("tab");
      await this.visit();
      this.all.push(await driver.getWindowHandle());
    }
  }

  /** Loads the page in the tab that is in front, and waits until its database is open. */
  async visit(): Promise<void> {
    await this.#browser.open(this.#address);
    const ready = (): Promise<boolean> => this.#browser.driver.executeScript("return globalThis.tab !== undefined");
    await this.#browser.until("database", ready, (is) => is);
  }

  /** Brings a tab to the front and calls into its page. */
  async call<T>(tab: string | undefined, method: string, ...args: unknown[]): Promise<T> {
    if (tab === undefined) throw new Error("there is no such tab");
    await this.#browser.driver.switchTo().window(tab);
    return this.#browser.call("tab", method, ...args);
  }

  /** Calls into all pages, one after another. */
  async callEach<T>(method: string, ...args: unknown[]): Promise<T[]> {
    const answers: T[] = [];
    for (const tab of this.all) answers.push(await this.call<T>(tab, method, ...args));
    return answers;
  }
}
