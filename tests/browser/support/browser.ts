// Opens real browsers, listens to their consoles, and waits for conditions.
import { readFileSync } from "node:fs";
import { Builder, By, Capabilities, type WebDriver, type WebElement } from "selenium-webdriver";
import logInspector from "selenium-webdriver/bidi/logInspector.js";
import chrome from "selenium-webdriver/chrome.js";
import firefox from "selenium-webdriver/firefox.js";
import { chosenBrowsers, find } from "../../../tools/lib/browsers.mjs";
import { at } from "../../../tools/lib/project.mjs";
import { webKit } from "./webkit.ts";

/** The browsers that every test runs in. */
export const BROWSERS = chosenBrowsers();
export type BrowserName = (typeof BROWSERS)[number];

/** A condition that does not come true by then, in milliseconds, fails the test. */
const PATIENCE = 15_000;
/** How often a condition is looked at, in milliseconds. */
const POLL = 20;

/** A browser with an empty profile; `quit()` it. */
export class Browser {
  readonly driver: WebDriver;
  /** What the console was told as a warning or an error, and exceptions that nobody caught. WebKitGTK's driver does not
   *  tell (it has no BiDi): what the pages complain of everywhere shows in the other two. */
  readonly complaints: string[] = [];
  readonly #end: () => Promise<void>;

  private constructor(driver: WebDriver, end: () => Promise<void>) {
    this.driver = driver;
    this.#end = end;
  }

  static async open(name: BrowserName): Promise<Browser> {
    if (name === "webkit") {
      const { driver, end } = await webKit({
        driver: program("webkitdriver"),
        browser: program("minibrowser"),
        screen: program("xvfb"),
      });
      return new Browser(driver, end);
    }
    const driver = await (name === "chromium" ? chromium() : gecko());
    const browser = new Browser(driver, () => driver.quit());
    const inspector = await logInspector(driver);
    await inspector.onLog(({ level, text }) => {
      if (level !== "info" && level !== "debug") browser.complaints.push(`${level}: ${text}`);
    });
    return browser;
  }

  quit(): Promise<void> {
    return this.#end();
  }

  /** Makes the page so large, in CSS pixels: not smaller than the browsers' windows can be. */
  async resize(width: number, height: number): Promise<void> {
    const { driver } = this;
    const inner = (): Promise<number[]> => driver.executeScript("return [innerWidth, innerHeight]");
    const frame = await driver.executeScript<number[]>("return [outerWidth - innerWidth, outerHeight - innerHeight]");
    const [wider = 0, higher = 0] = frame;
    await driver
      .manage()
      .window()
      .setRect({ x: 0, y: 0, width: width + wider, height: height + higher });
    await this.until("viewport", inner, ([w, h]) => w === width && h === height);
  }

  /** Shows an address in a frame of a page of its origin, and goes on in there: a window cannot be as narrow everywhere. */
  async openFrame(address: string, width: number, height: number): Promise<void> {
    const { driver } = this;
    await driver.executeScript(
      `const [src, width, height] = arguments;
       document.body.replaceChildren(Object.assign(document.createElement("iframe"), { src, width, height }));
       document.querySelector("iframe").style.border = "none";`,
      address,
      width,
      height,
    );
    await driver.switchTo().frame(await this.element("iframe"));
    const inner = (): Promise<number[]> => driver.executeScript("return [innerWidth, innerHeight]");
    await this.until("frame", inner, ([w, h]) => w === width && h === height);
  }

  /** Opens an address. */
  open(address: string): Promise<void> {
    return this.driver.get(address);
  }

  /** Deletes what is stored for an origin, from a document of it that has no database open. */
  async empty(address: string): Promise<void> {
    await this.open(address);
    const problem = await this.driver.executeAsyncScript(`
      const done = arguments[0];
      const remove = ({ name }) => new Promise((resolve, reject) => {
        const request = indexedDB.deleteDatabase(name);
        request.onsuccess = resolve;
        request.onerror = () => reject(request.error);
      });
      localStorage.clear();
      indexedDB.databases().then((all) => Promise.all(all.map(remove))).then(() => done(), (error) => done(String(error)));
    `);
    if (problem) throw new Error(`the storage could not be emptied: ${problem}`);
  }

  /** Loads the page again. */
  reload(): Promise<void> {
    return this.driver.navigate().refresh();
  }

  /** The first element that a CSS selector finds. */
  element(selector: string): Promise<WebElement> {
    return this.driver.findElement(By.css(selector));
  }

  /** The text of the first element that a CSS selector finds; empty where there is none. */
  async text(selector: string): Promise<string> {
    return (await this.all(selector))[0] ?? "";
  }

  /** The texts of all elements that a CSS selector finds, or one of their attributes. */
  async all(selector: string, attribute?: string): Promise<string[]> {
    // In one step, so that no element is replaced meanwhile.
    const found = await this.driver.executeScript<string[] | null>(
      `return Array.from(document.querySelectorAll(arguments[0]),
        (element) => arguments[1] ? element.getAttribute(arguments[1]) : element.textContent.trim())`,
      selector,
      attribute ?? "",
    );
    // Firefox answers null while a document is on its way out.
    return found ?? [];
  }

  /** Calls a method of a global object of the page, and waits for what it promises. */
  async call<T>(object: string, method: string, ...args: unknown[]): Promise<T> {
    const answer: { value?: T; error?: string } = await this.driver.executeAsyncScript(
      `const [object, method, args, done] = arguments;
       Promise.resolve().then(() => globalThis[object][method](...args))
         .then((value) => done({ value }), (error) => done({ error: String(error) }));`,
      object,
      method,
      args,
    );
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer.value as T;
  }

  /** Waits until something is as it should be; says what it was if that does not come. */
  async until<T>(what: string, read: () => Promise<T>, fits: (value: T) => boolean): Promise<T> {
    let last: T | undefined;
    const condition = async (): Promise<boolean> => {
      last = await read();
      return fits(last);
    };
    try {
      await this.driver.wait(condition, PATIENCE, undefined, POLL);
    } catch (cause) {
      throw new Error(`${what}: at last ${JSON.stringify(last)}`, { cause });
    }
    return last as T;
  }
}

/** How Chromium is started without a driver. */
export function chromiumCommand(): { program: string; args: string[] } {
  return { program: program("chromium"), args: flags("goog:chromeOptions").args };
}

function chromium(): Promise<WebDriver> {
  const { args } = flags("goog:chromeOptions");
  return new Builder()
    .withCapabilities(
      new Capabilities({
        browserName: "chrome",
        webSocketUrl: true,
        "goog:chromeOptions": { args, binary: program("chromium") },
      }),
    )
    .setChromeService(new chrome.ServiceBuilder(program("chromedriver")))
    .build();
}

function gecko(): Promise<WebDriver> {
  const { args } = flags("moz:firefoxOptions");
  return new Builder()
    .withCapabilities(
      new Capabilities({
        browserName: "firefox",
        webSocketUrl: true,
        "moz:firefoxOptions": { args, binary: program("firefox") },
      }),
    )
    .setFirefoxService(new firefox.ServiceBuilder(program("geckodriver")))
    .build();
}

// The flags are those that wasm-pack's tests run with.
function flags(browser: string): { args: string[] } {
  const all: Record<string, { args: string[] }> = JSON.parse(readFileSync(at("webdriver.json"), "utf8"));
  return all[browser] ?? { args: [] };
}

/** The path of a browser or driver. One that is missing fails the tests: none is skipped. */
export function program(what: Parameters<typeof find>[0]): string {
  const path = find(what);
  if (path === undefined) throw new Error(`${what} is missing: \`npm run test:browser\` installs it or says how`);
  return path;
}
