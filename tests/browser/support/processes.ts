// Processes of browsers that this test has started, and their end by SIGKILL. Linux only: it reads /proc.
import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { chromiumCommand } from "./browser.ts";

/** A browser without a driver, in a process group of its own that can be killed as one. */
export class BrowserProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  readonly #atExit = (): void => this.#signal();

  /** Chromium with one page and a given profile. */
  static chromium(profile: string, address: string): BrowserProcess {
    const { program, args } = chromiumCommand();
    // It ends when its debugging pipes close: with this process at the latest.
    const own = [`--user-data-dir=${profile}`, "--disable-breakpad", "--remote-debugging-pipe"];
    // What it leaves lying about when it is killed goes with the profile.
    return new BrowserProcess(program, [...args, ...own, address], { ...process.env, TMPDIR: profile });
  }

  /** WebKitGTK's browser with one page, which keeps all that it stores below a folder. */
  static webKit(program: string, folder: string, address: string, screen: NodeJS.ProcessEnv): BrowserProcess {
    const homes = ["XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"].map((home) => [home, join(folder, home)]);
    return new BrowserProcess(program, [address], { ...screen, ...Object.fromEntries(homes) });
  }

  private constructor(program: string, args: string[], env: NodeJS.ProcessEnv) {
    this.#child = spawn(program, args, { detached: true, env, stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    this.#ended = new Promise((resolve) => {
      this.#child.on("exit", () => resolve());
      this.#child.on("error", () => resolve());
    });
    process.once("exit", this.#atExit);
  }

  /** Kills the whole browser, and waits until its last process is gone. */
  async kill(): Promise<void> {
    this.#signal();
    process.off("exit", this.#atExit);
    await this.#ended;
    const group = this.#child.pid;
    while (group !== undefined && [...processes().values()].some((found) => found.group === group)) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  #signal(): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      process.kill(-pid, "SIGKILL");
    } catch {
      // It is gone already.
    }
  }
}

/** The process of the page that hangs: of the renderers that this process started, the one that is at work. */
export async function busiestRenderer(): Promise<number> {
  const before = renderers();
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const work = [...renderers()].map(([pid, time]) => ({ pid, time: time - (before.get(pid) ?? time) }));
  const [busiest] = work.sort((a, b) => b.time - a.time);
  if (busiest === undefined || busiest.time === 0) throw new Error("no page hangs");
  return busiest.pid;
}

/** The processor time of each renderer below this process. */
function renderers(): Map<number, number> {
  const all = processes();
  const isOurs = (pid: number | undefined): boolean =>
    pid !== undefined && (pid === process.pid || isOurs(all.get(pid)?.parent));
  const ours = [...all].filter(([pid, { command }]) => command.includes("--type=renderer") && isOurs(pid));
  return new Map(ours.map(([pid, { time }]) => [pid, time]));
}

interface Process {
  parent: number;
  group: number;
  /** Processor time, in ticks. */
  time: number;
  command: string;
}

/** All processes that are alive. */
function processes(): Map<number, Process> {
  const found = new Map<number, Process>();
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "latin1");
      const [state, parent, group, ...rest] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      if (state === "Z") continue;
      const command = readFileSync(`/proc/${name}/cmdline`, "latin1");
      const time = Number(rest[8]) + Number(rest[9]);
      found.set(Number(name), { parent: Number(parent), group: Number(group), time, command });
    } catch {
      // It ended meanwhile.
    }
  }
  return found;
}
