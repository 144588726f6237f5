// Tombstones in a file, one a line, on disk before `leave` returns (R10).
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";
import type { Tombstone, Tombstones } from "./tombstones.js";

const LINE = /^(\d{1,20}) (\d{1,20}|layer) (\d{1,10}) (\S+)$/;

/** See the top of the file. */
export class FileTombstones implements Tombstones {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  read(): Tombstone[] {
    const found = new Map<string, Tombstone>();
    // A line that was cut off is of a leave that did not return.
    for (const line of this.#text().split("\n").slice(0, -1)) {
      const [, user, community, epoch, at] = LINE.exec(line) ?? [];
      if (user === undefined || community === undefined) continue;
      const tombstone = {
        user: BigInt(user),
        community: community === "layer" ? null : BigInt(community),
        epoch: Number(epoch),
        at: Number(at),
      };
      found.set(`${user} ${community}`, tombstone);
    }
    return [...found.values()];
  }

  write(tombstone: Tombstone): void {
    // What was cut off before must not swallow this line.
    const text = this.#text();
    append(this.#path, `${text === "" || text.endsWith("\n") ? "" : "\n"}${line(tombstone)}`);
  }

  remove({ user, community, at }: Tombstone): void {
    const all = this.read();
    const rest = all.filter((one) => one.user !== user || one.community !== community || one.at !== at);
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

function line({ user, community, epoch, at }: Tombstone): string {
  return `${user} ${community ?? "layer"} ${epoch} ${at}\n`;
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
