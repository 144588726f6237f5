// A lock file: one process at a time. That of a process that is gone is taken over.
import { linkSync, readFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { TidegateError } from "./errors.js";

/** Takes the lock or throws `Blocked`; the function that comes back releases it. */
export function takeLock(path: string): () => void {
  const mine = `${process.pid} ${startOf(process.pid)} ${crypto.randomUUID()}\n`;
  const fresh = `${path}.${crypto.randomUUID()}`;
  // Written beside it first, so that nobody ever reads half a lock.
  writeFileSync(fresh, mine, { flag: "wx" });
  try {
    if (!claim(fresh, path)) {
      const theirs = read(path);
      if (theirs !== undefined && isAlive(theirs)) throw blocked();
      if (theirs !== undefined) removeStale(path, theirs);
      if (!claim(fresh, path)) throw blocked();
    }
  } finally {
    unlinkSync(fresh);
  }
  return () => {
    if (read(path) === mine) rmSync(path, { force: true });
  };
}

/** A link is made whole or not at all, and never over another file. */
function claim(fresh: string, path: string): boolean {
  try {
    linkSync(fresh, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Two processes may find the same stale lock: what was taken away must be what was read, or else it is put back. */
function removeStale(path: string, stale: string): void {
  const aside = `${path}.${crypto.randomUUID()}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  if (read(aside) !== stale) claim(aside, path);
  rmSync(aside, { force: true });
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function isAlive(lock: string): boolean {
  const [pid, start] = lock.split(" ");
  if (!/^[1-9]\d*$/.test(pid ?? "")) return false;
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    // Another user's process is alive too.
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  // The number may have gone to another process since, as it does in a container that is started again.
  const now = startOf(Number(pid));
  return start === now || start === UNKNOWN || now === UNKNOWN;
}

const UNKNOWN = "?";

/** When a process was started, where the system tells: on Linux. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name in parentheses may have spaces; the 22nd field is the 20th after it.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? UNKNOWN;
  } catch {
    return UNKNOWN;
  }
}

function blocked(): TidegateError {
  return new TidegateError("Blocked", { message: "the directory is held by another process" });
}
