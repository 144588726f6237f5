// Rounds of one profile: a browser is started, does its task, tells what is stored, and is killed. What was told is kept, and
// compared with what the next one finds.
import { BrowserProcess } from "../support/processes.ts";
import type { FactServer } from "../support/server.ts";
import { BATCH, type Fact, type Progress, type Task } from "./facts.ts";

/** A browser that has not told what is waited for by then, in milliseconds, fails the test. */
const PATIENCE = 30_000;

/** Decides, after each fact, whether the browser is killed now; or how many milliseconds later. */
export type Trigger = (fact: Fact) => number | undefined;

/** What one round came to. */
export interface Round {
  /** What the browser found when it opened the database. */
  found: Progress;
  /** What it told after that. */
  facts: Fact[];
}

/** See the top of the file. */
export class Rounds {
  readonly #profile: string;
  readonly #page: string;
  readonly #server: FactServer<Fact>;
  #browser: BrowserProcess | undefined;
  #over = false;
  /** What is stored for certain, and the most that can be. */
  readonly stored: Progress = { signals: 0, step: -1 };
  readonly made: Progress = { signals: 0, step: -1 };
  /** What Chromium said each time when it had deleted the database. */
  readonly losses: string[] = [];

  constructor(profile: string, page: string, server: FactServer<Fact>) {
    this.#profile = profile;
    this.#page = page;
    this.#server = server;
  }

  /** Opens the profile, has the page do a task, and kills the browser when `trigger` says so. */
  async play(task: Task, trigger: Trigger): Promise<Round> {
    // A test that took too long is over, and may not know.
    if (this.#over) throw new Error("no more rounds");
    const facts: Fact[] = [];
    let found: Progress | undefined;
    const wrong: unknown[] = [];
    await new Promise<void>((resolve) => {
      const late = setTimeout(() => {
        wrong.push(`no end after ${JSON.stringify(facts.slice(-3))}`);
        resolve();
      }, PATIENCE);
      let ending = false;
      const end = (): void => {
        if (ending) return;
        ending = true;
        clearTimeout(late);
        // Killed in this very turn: what the page has told by now is all that it has done for certain.
        this.#browser?.kill().then(resolve, (error) => {
          wrong.push(error);
          resolve();
        });
      };
      this.#server.listen((fact) => {
        facts.push(fact);
        if (fact.type === "opened") {
          found = { signals: fact.signals, step: fact.step };
          wrong.push(...this.#compare(found));
        } else this.#note(fact);
        if (fact.type === "failed") wrong.push(fact.error);
        const delay = wrong.length > 0 ? 0 : trigger(fact);
        if (delay === 0) end();
        else if (delay !== undefined) setTimeout(end, delay);
        return task;
      });
      this.#browser = BrowserProcess.chromium(
        this.#profile,
        `${this.#page}?facts=${encodeURIComponent(this.#server.address)}`,
      );
    });
    await this.#kill();
    if (wrong.length > 0 || found === undefined) {
      throw new Error(`${wrong.map(String).join("; ")}; told at last: ${JSON.stringify(facts.slice(-4))}`);
    }
    return { found, facts };
  }

  /** Kills the browser, should it still be there; no other will be started. */
  async end(): Promise<void> {
    this.#over = true;
    await this.#kill();
  }

  async #kill(): Promise<void> {
    const browser = this.#browser;
    this.#browser = undefined;
    await browser?.kill();
  }

  #note(fact: Fact): void {
    // LevelDB, under Chromium's IndexedDB, goes on writing behind a record that a kill cut off, and takes that for damage when
    // it reads it the next time (google/leveldb issue 1287). What was stored is gone then, and nobody is a member.
    if (fact.type === "lost") {
      this.losses.push(fact.why);
      for (const known of [this.stored, this.made]) Object.assign(known, { signals: 0, step: -1 });
    }
    if (fact.type === "making") Object.assign(this.made, { signals: fact.signals, step: fact.step });
    if (fact.type === "stored") Object.assign(this.stored, { signals: fact.signals, step: fact.step });
  }

  /** What is wrong with what was found: lost, made up, or half of a batch. */
  #compare(found: Progress): string[] {
    const wrong: string[] = [];
    for (const what of ["signals", "step"] as const) {
      const [least, most] = [this.stored[what], this.made[what]];
      if (found[what] < least || found[what] > most) wrong.push(`${what} ${found[what]}, not in ${least} … ${most}`);
      this.stored[what] = found[what];
      this.made[what] = found[what];
    }
    if (found.signals % BATCH !== 0) wrong.push(`half a batch: ${found.signals} signals`);
    return wrong;
  }
}
