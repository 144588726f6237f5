/**
 * A store in files, for Node: an append-only log and a snapshot in one directory, of which one process at a time has the use.
 *
 * @module tidegate/node
 */
// The files are described in file-format.ts.
import { mkdirSync, realpathSync } from "node:fs";
import { type FileHandle, mkdir, open, readFile, rename, rm, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { TidegateError } from "./errors.js";
import {
  type LogFile,
  readLog,
  readSnapshot,
  type SnapshotFile,
  writeLog,
  writeRow,
  writeSnapshot,
} from "./file-format.js";
import { takeLock } from "./file-lock.js";
import { FileTombstones } from "./file-tombstones.js";
import { printAfter, withPrints } from "./fingerprint.js";
import { random64 } from "./random.js";
import type { Durability, News, Store, Stored } from "./store.js";
import type { Tombstones } from "./tombstones.js";

/**
 * A store in a directory, which is made where there is none. Several databases of one process may share it, as tabs do;
 * a second process gets `Blocked` until the first has closed or is gone. For `OpenOptions.storage`.
 * @param directory a path, relative to the working directory of now; not empty
 * @throws InvalidArgument
 * @example
 * ```js
 * const tide = await open({ storage: fileStore("./profile") });
 * tide.signal({ user: "ada", item: "heat", kind: "like" });
 * await tide.close(); // stores what is pending
 * ```
 */
export function fileStore(directory: string): Store {
  if (typeof directory !== "string" || directory === "") {
    throw new TidegateError("InvalidArgument", { argument: "directory", message: "a path is expected" });
  }
  return new FileStore(resolve(directory));
}

class FileStore implements Store {
  readonly persistent = true;
  readonly tombstones: Tombstones;
  readonly #directory: string;
  #place: Place | undefined;
  #identity: bigint | undefined;
  #closed = false;

  constructor(directory: string) {
    this.#directory = directory;
    this.tombstones = new FileTombstones(join(directory, "tombstones"));
  }

  load(): Promise<Stored | null> {
    this.#identity = undefined;
    // Every opening begins with this; a store may be opened again after it was closed.
    this.#closed = false;
    return this.#exclusively(async (place) => {
      const files = await place.read();
      if (files === null) return null;
      const { identity, position } = files.snapshot;
      this.#identity = identity;
      const torn = await place.mend(files.log.end);
      const stored = { snapshot: await place.snapshotBytes(), position, rows: rowsAfter(files.log, position) };
      return torn ? { ...stored, torn: tornRow() } : stored;
    });
  }

  create(snapshot: Uint8Array): Promise<boolean> {
    // Copied now: the caller may use the buffer again while this goes on.
    const bytes = snapshot.slice();
    return this.#exclusively(async (place) => {
      if ((await place.read()) !== null) return false;
      const identity = random64();
      // The snapshot last: with it the database is there.
      await place.replace("log", writeLog({ identity, base: 0, rows: [] }));
      await place.replace("snapshot", writeSnapshot({ identity, position: 0, prints: new Uint32Array(0), bytes }));
      this.#identity = identity;
      return true;
    });
  }

  read(position: number): Promise<News> {
    return this.#exclusively(async (place) => place.news(await this.#stillThere(place), position));
  }

  transact(position: number, step: (news: News) => Uint8Array | null, durability: Durability): Promise<void> {
    return this.#exclusively(async (place) => {
      const files = await this.#stillThere(place);
      const row = step(await place.news(files, position));
      if (row !== null) await place.append(row, files.log, durability);
      else if (durability === "strict") await place.sync();
    });
  }

  compact(position: number, snapshot: Uint8Array): Promise<boolean> {
    return this.#exclusively(async (place) => {
      const { log, snapshot: old } = await this.#stillThere(place);
      if (old.position >= position) return true;
      const { identity } = old;
      const count = position - log.base;
      const prints = withPrints(old.prints, log.rows.slice(old.position - log.base, count));
      // Between the two files the log still begins before the snapshot's position, which its base tells.
      await place.replace("snapshot", writeSnapshot({ identity, position, prints, bytes: snapshot }));
      await place.replace("log", writeLog({ identity, base: position, rows: log.rows.slice(count) }));
      return true;
    });
  }

  quarantine(): Promise<void> {
    return this.#exclusively((place) => place.quarantine());
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#place?.leave();
    this.#place = undefined;
  }

  async #exclusively<T>(work: (place: Place) => Promise<T>): Promise<T> {
    try {
      if (this.#closed) throw new TidegateError("Closed");
      this.#place ??= Place.enter(this.#directory);
      return await this.#place.exclusively(work);
    } catch (error) {
      throw fileError(error);
    }
  }

  async #stillThere(place: Place): Promise<Files> {
    const files = await place.read();
    if (files === null || (this.#identity !== undefined && files.snapshot.identity !== this.#identity)) {
      throw new TidegateError("NotFound", { message: "the stored data was deleted" });
    }
    return files;
  }
}

/** What is kept in memory of the files: all but the snapshot's bytes. */
interface Files {
  log: LogFile;
  snapshot: Omit<SnapshotFile, "bytes">;
}

/** A directory that this process has the use of; its stores share it, one piece of work at a time. */
class Place {
  static readonly #all = new Map<string, Place>();
  readonly #path: string;
  readonly #release: () => void;
  #stores = 0;
  #last: Promise<unknown> = Promise.resolve();
  // What was read last, while the files are still those: somebody may delete or replace them.
  #known: { files: Files; stamp: string } | undefined;

  static enter(directory: string): Place {
    mkdirSync(directory, { recursive: true });
    const path = realpathSync(directory);
    const place = Place.#all.get(path) ?? new Place(path);
    Place.#all.set(path, place);
    place.#stores++;
    return place;
  }

  private constructor(path: string) {
    this.#path = path;
    this.#release = takeLock(join(path, "lock"));
  }

  /** What is under way may still complete: the lock goes after it. */
  leave(): void {
    this.#stores--;
    this.#last = this.#last.then(() => {
      if (this.#stores > 0 || Place.#all.get(this.#path) !== this) return;
      Place.#all.delete(this.#path);
      this.#release();
    });
  }

  exclusively<T>(work: (place: Place) => Promise<T>): Promise<T> {
    const done = this.#last.then(() => work(this));
    this.#last = done.catch(() => {});
    return done;
  }

  /** Both files, or null where there is no database. */
  async read(): Promise<Files | null> {
    const stamp = await this.#stamp();
    if (this.#known?.stamp === stamp) return this.#known.files;
    const files = await this.#readBoth();
    this.#known = files === null ? undefined : { files, stamp };
    return files;
  }

  /** The snapshot's bytes, which are long and seldom needed. */
  async snapshotBytes(): Promise<Uint8Array> {
    return readSnapshot((await this.#bytes("snapshot")) ?? new Uint8Array(0)).bytes;
  }

  async news({ log, snapshot }: Files, position: number): Promise<News> {
    const compacted = snapshot.position;
    const behind = compacted > position;
    return {
      compacted,
      snapshot: behind ? await this.snapshotBytes() : null,
      rows: rowsAfter(log, Math.max(position, compacted)),
      overtaken: behind ? printAfter(snapshot.prints, compacted, position) : undefined,
    };
  }

  async #readBoth(): Promise<Files | null> {
    const [log, snapshot] = [await this.#bytes("log"), await this.#bytes("snapshot")];
    if (snapshot === null) {
      // A log without rows is all that is left of a beginning that did not end.
      if (log !== null && readLog(log).rows.length > 0) throw new TidegateError("CorruptSnapshot");
      return null;
    }
    const { identity, position, prints } = readSnapshot(snapshot);
    const files: Files = { snapshot: { identity, position, prints }, log: readLog(log ?? new Uint8Array(0)) };
    const { base, rows } = files.log;
    if (files.log.identity !== identity || base > position || base + rows.length < position) {
      throw new TidegateError("CorruptEvents");
    }
    return files;
  }

  /** Cuts off what follows the last whole row, after keeping it aside; whether there was anything. */
  async mend(end: number): Promise<boolean> {
    const bytes = (await this.#bytes("log")) ?? new Uint8Array(0);
    if (bytes.length <= end) return false;
    await mkdir(this.#file("quarantine"), { recursive: true });
    await writeWhole(this.#file("quarantine", `${Date.now()}-torn-row`), bytes.subarray(end));
    await this.#withLog(async (file) => {
      await file.truncate(end);
      await file.sync();
    });
    return true;
  }

  /** Appends to the log behind its last whole row. */
  async append(row: Uint8Array, log: LogFile, durability: Durability): Promise<void> {
    const [bytes, end] = [writeRow(row), log.end];
    const known = this.#known;
    this.#known = undefined;
    await this.#withLog(async (file) => {
      try {
        await file.truncate(end);
        await writeAll(file, bytes, end);
        if (durability === "strict") await file.datasync();
      } catch (error) {
        // Half a row is cut off by the next one; where it stands at the end, by the next `load`.
        await file.truncate(end).catch(() => {});
        throw error;
      }
    });
    log.rows.push(row.slice());
    log.end += bytes.length;
    if (known !== undefined) this.#known = { files: known.files, stamp: await this.#stamp() };
  }

  sync(): Promise<void> {
    return this.#withLog((file) => file.datasync());
  }

  /** Replaces a file as a whole: whatever happens, the old one or the new one is there. */
  async replace(name: "log" | "snapshot", bytes: Uint8Array): Promise<void> {
    await writeWhole(this.#file(`${name}.new`), bytes);
    await rename(this.#file(`${name}.new`), this.#file(name));
    await this.#syncDirectory();
  }

  async quarantine(): Promise<void> {
    const aside = this.#file("quarantine", `${Date.now()}-${crypto.randomUUID()}`);
    await mkdir(aside, { recursive: true });
    // The snapshot first: without it nothing is taken for a database.
    for (const name of ["snapshot", "log"]) {
      await rename(this.#file(name), join(aside, name)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== "ENOENT") throw error;
      });
    }
    await this.#syncDirectory();
  }

  #file(...names: string[]): string {
    return join(this.#path, ...names);
  }

  async #bytes(name: string): Promise<Uint8Array | null> {
    try {
      // A plain array: the `slice` of a Buffer is no copy.
      const { buffer, byteOffset, byteLength } = await readFile(this.#file(name));
      return new Uint8Array(buffer, byteOffset, byteLength);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
      throw error;
    }
  }

  async #stamp(): Promise<string> {
    const stamps = ["log", "snapshot"].map(async (name) => {
      const found = await stat(this.#file(name)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== "ENOENT") throw error;
      });
      return found === undefined ? "none" : `${found.ino} ${found.size} ${found.mtimeMs}`;
    });
    return (await Promise.all(stamps)).join(" ");
  }

  async #withLog(work: (file: FileHandle) => Promise<void>): Promise<void> {
    const file = await open(this.#file("log"), "r+");
    try {
      await work(file);
    } finally {
      await file.close();
    }
  }

  // A name is on disk when its directory is. Not every system lets a directory be opened.
  async #syncDirectory(): Promise<void> {
    const directory = await open(this.#path, "r").catch(() => undefined);
    await directory?.sync().catch(() => {});
    await directory?.close();
  }
}

/** Copies: what a caller does to a row is not the next one's business. */
function rowsAfter({ base, rows }: LogFile, position: number): Uint8Array[] {
  return rows.slice(position - base).map((row) => row.slice());
}

async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  await rm(path, { force: true });
  const file = await open(path, "wx");
  try {
    await writeAll(file, bytes, 0);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    written += (await file.write(bytes, written, bytes.length - written, position + written)).bytesWritten;
  }
}

function tornRow(): TidegateError {
  const message = "the last row was cut off while it was written; it is kept aside, and was not acknowledged";
  return new TidegateError("CorruptEvents", { message });
}

function fileError(error: unknown): unknown {
  if (error instanceof TidegateError) return error;
  const { code } = error as NodeJS.ErrnoException;
  const full = code === "ENOSPC" || code === "EDQUOT" || code === "EFBIG";
  return new TidegateError(full ? "QuotaExceeded" : "Storage", { cause: error });
}
