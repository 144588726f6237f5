// Opens WebKitGTK's browser, which needs a screen: each one gets a virtual screen of its own.
import { type ChildProcess, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { Builder, Capabilities, type WebDriver } from "selenium-webdriver";
import { DriverService } from "selenium-webdriver/remote/index.js";

/** Paths of programs. */
export interface Programs {
  driver: string;
  browser: string;
  screen: string;
}

/** A virtual screen; `end()` it. */
export interface Screen {
  /** The environment of a program that is to use it. */
  env: Record<string, string>;
  end(): void;
}

/** Opens the browser under its driver. Then its storage is in memory: WebKitGTK keeps nothing of a driven browser. */
export async function webKit({ driver: program, browser, screen: xvfb }: Programs): Promise<{
  driver: WebDriver;
  end(): Promise<void>;
}> {
  const screen = await virtualScreen(xvfb);
  const service = new DriverService.Builder(program).setLoopback(true).setEnvironment(screen.env).build();
  const options = { binary: browser, args: ["--automation"] };
  const stop = async (): Promise<void> => {
    await service.kill();
    screen.end();
  };
  try {
    const driver = await new Builder()
      .usingServer(await service.start())
      .withCapabilities(new Capabilities({ browserName: "MiniBrowser", "webkitgtk:browserOptions": options }))
      .build();
    return { driver, end: () => driver.quit().finally(stop) };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Starts a virtual screen on the first display that is free. */
export async function virtualScreen(program: string): Promise<Screen> {
  // It also ends by itself, with its last client, should this process be killed.
  const size = ["-screen", "0", "1600x1200x24"];
  const screen = spawn(program, ["-displayfd", "3", ...size, "-nolisten", "tcp", "-terminate"], {
    stdio: ["ignore", "ignore", "inherit", "pipe"],
  });
  const end = (): void => {
    screen.kill();
  };
  process.once("exit", end);
  const display = await displayOf(screen);
  return {
    // The sandbox of its pages' processes needs rights that containers do not give.
    env: { ...environment(), DISPLAY: `:${display}`, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1" },
    end() {
      process.off("exit", end);
      end();
    },
  };
}

function displayOf(screen: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let display = "";
    (screen.stdio[3] as Readable).setEncoding("utf8").on("data", (text: string) => {
      display += text;
      if (display.endsWith("\n")) resolve(display.trim());
    });
    screen.on("error", reject);
    screen.on("exit", (code) => reject(new Error(`the virtual screen ended with ${code}`)));
  });
}

function environment(): Record<string, string> {
  return Object.fromEntries(Object.entries(process.env).map(([name, value]) => [name, value ?? ""]));
}
