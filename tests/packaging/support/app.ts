// A case: its folder copied out of the project, its packages installed, tidegate from the tarball, its programs run.
import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { inject } from "vitest";
import { at } from "../../../tools/lib/project.mjs";
import { run } from "../../../tools/lib/run.mjs";
import { fingerprint, once } from "../../../tools/lib/stamps.mjs";
import type { Answer } from "./app.mjs";
import { installs } from "./pack.ts";
import type { Site } from "./site.ts";

/** Without what the test runner sets for itself, and with nothing told to anybody. */
const plain = { NODE_ENV: undefined, VITEST: undefined, FORCE_COLOR: undefined, NEXT_TELEMETRY_DISABLED: "1" };

/** What cases have in common: the page of the bundlers' cases; an example, which is its own case's app. */
const bases = { page: at("tests", "packaging", "support", "page"), react: at("examples", "react") };

/** What an example has where somebody has run it. */
const made = ["node_modules", "dist"];

/** See the top of the file. */
export class App {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /**
   * Installs a folder of tests/packaging: what its lock file names, unless that is there already, and the tarball. With `base`,
   * it is laid over that.
   */
  static async install(name: string, base?: keyof typeof bases): Promise<App> {
    const cases = at("tests", "packaging");
    const app = new App(join(installs, name));
    const { folder } = app;
    mkdirSync(folder, { recursive: true });
    for (const entry of readdirSync(folder)) {
      if (entry !== "node_modules") rmSync(join(folder, entry), { recursive: true });
    }
    if (base !== undefined) {
      cpSync(bases[base], folder, { recursive: true, filter: (file) => !made.includes(basename(file)) });
    }
    cpSync(join(cases, name), folder, { recursive: true, filter: (file) => basename(file) !== "case.test.ts" });
    cpSync(join(cases, "support", "app.mjs"), join(folder, "app.mjs"));
    const lock = join(folder, "package-lock.json");
    if (existsSync(lock)) {
      const installed = join(folder, "node_modules", ".package-lock.json");
      const print = fingerprint([lock], [process.version, process.arch]);
      await once(join("packaging", `${name}.lock`), print, [installed], async () => {
        await app.run("npm", "ci", "--no-audit", "--no-fund");
      });
    }
    const tarball = inject("tarball");
    const packed = join(folder, "node_modules", "tidegate", "package.json");
    await once(join("packaging", `${name}.tarball`), tarball, [packed], async () => {
      await app.run("npm", "install", "--no-save", "--no-audit", "--no-fund", "--prefer-offline", tarball);
    });
    return app;
  }

  /** Runs a program of the case or of the machine, which must succeed; what it prints. */
  run(program: string, ...args: string[]): Promise<string> {
    return run(this.#find(program), args, { silent: true, cwd: this.folder, env: plain });
  }

  /** Starts a server and waits until it says at which port it is. */
  async serve(program: string, args: string[], says = /http:\/\/localhost:(?<port>\d+)/): Promise<Site> {
    const child = spawn(this.#find(program), args, {
      cwd: this.folder,
      env: { ...process.env, ...plain, NO_COLOR: "1" },
    });
    const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    let said = "";
    const address = await new Promise<string>((resolve, reject) => {
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding("utf8").on("data", (text: string) => {
          said += text;
          const port = says.exec(said)?.groups?.port;
          if (port !== undefined) resolve(`http://localhost:${port}/`);
        });
      }
      child.once("error", reject);
      void ended.then(() => reject(new Error(`${program} ended:\n${said}`)));
    });
    return {
      address,
      async close() {
        child.kill();
        await ended;
      },
    };
  }

  #find(program: string): string {
    const own = join(this.folder, "node_modules", ".bin", program);
    return existsSync(own) ? own : program;
  }

  /** The same for a program that prints the answer of `live`. */
  async answer(program: string, ...args: string[]): Promise<Answer> {
    const printed = await this.run(program, ...args);
    const line = printed.split("\n").find((text) => text.startsWith("{"));
    if (line === undefined) throw new Error(`no answer:\n${printed}`);
    return JSON.parse(line);
  }

  /** A path inside the case. */
  at(...parts: string[]): string {
    return join(this.folder, ...parts);
  }
}
