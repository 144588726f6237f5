// Tombstones in a file, one a line, on disk before `leave` returns (R10).
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";
import {
  type Fence,
  leaverText,
  PageFence,
  type Tombstone,
  type Tombstones,
  tombstoneOf,
  tombstoneText,
} from "./tombstones.js";

const LINE = /^(\S+) (.+)$/;

/** See the top of the file. */
export class FileTombstones implements Tombstones {
  // Only one process at a time has the use of the file.
  readonly fence: Fence;
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
    this.fence = PageFence.of(path);
  }

  read(): Tombstone[] {
    const found = new Map<string, Tombstone>();
    // A line that was cut off is of a leave that did not return.
    for (const line of this.#text().split("\n").slice(0, -1)) {
      const [, leaver = "", text = ""] = LINE.exec(line) ?? [];
      const tombstone = tombstoneOf(leaver, text);
      if (tombstone !== undefined) found.set(leaver, tombstone);
    }
    return [...found.values()];
  }

  write(tombstone: Tombstone): void {
    // What was cut off before must not swallow this line.
    const text = this.#text();
    append(this.#path, `${text === "" || text.endsWith("\n") ? "" : "\n"}${line(tombstone)}`);
  }

  remove(tombstone: Tombstone): void {
    const all = this.read();
    const rest = all.filter((one) => line(one) !== line(tombstone));
    if (rest.length === all.length) return;
    if (rest.length === 0) {
      rmSync(this.#path, { force: true });
      return;
    }
    const fresh = `${this.#path}.new`;
    rmSync(fresh, { force: true });
    append(fresh, rest.map(line).join(""));
    renameSync(fresh, this.#path);
  }

  #text(): string {
    try {
      return readFileSync(this.#path, "utf8");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
      throw error;
    }
  }
}

function line(tombstone: Tombstone): string {
  return `${leaverText(tombstone)} ${tombstoneText(tombstone)}\n`;
}

function append(path: string, text: string): void {
  const file = openSync(path, "a");
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
