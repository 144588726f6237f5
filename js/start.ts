// The first state of an opened database: folded from what a store holds, or made and stored.
import { type CoreKind, type CoreSchema, guard, Handle, type Instance } from "./core.js";
import { TidegateError } from "./errors.js";
import { type Folded, LogWriter } from "./flush.js";
import { compareKinds, completeKinds } from "./kinds.js";
import type { Settings } from "./options.js";
import { random64 } from "./random.js";
import type { Store, Stored } from "./store.js";
import { Tabs } from "./tabs.js";
import type { Change } from "./types.js";
import type { Writer } from "./writer.js";

/** What the steps of one opening share. */
export interface Opening {
  settings: Settings;
  /** Snapshot bytes to begin with, for `restore`. */
  seed: Uint8Array | undefined;
  instance: Promise<Instance>;
  /** Tells listeners. */
  tell: (changes: readonly Change[]) => void;
  /** Puts another core in the place of the one that was opened. */
  replaced: (handle: Handle) => void;
}

/** A core, and what makes its events lasting. */
export interface Opened {
  handle: Handle;
  writer: Writer;
}

/** How far an opening came. */
export interface Progress {
  /** The store holds something. */
  found: boolean;
}

/** Opens a store: folds what it holds, or fills it where it is empty. */
export async function fill(opening: Opening, store: Store, progress: Progress): Promise<Opened> {
  const folded = await findOrMake(opening, store, progress);
  const writer = logWriter(opening, store, folded);
  try {
    const added = freshen(folded.handle, opening.settings);
    // New kinds and settings are stored before anybody can use them (R19), and what tombstones say before anybody asks.
    writer.honour();
    const stored = writer.flush();
    await (added ? stored : stored.catch(opening.settings.onError));
  } catch (error) {
    writer.stop();
    writer.handle.free();
    throw error;
  }
  return { handle: writer.handle, writer };
}

/** What a store holds; where that is nothing, a new database is made in it. */
async function findOrMake(opening: Opening, store: Store, progress: Progress): Promise<Folded> {
  const { settings, seed } = opening;
  const found = await readStore(opening, store, progress);
  if (found !== null) return found;

  const handle = create(await opening.instance, opening);
  const stored: Stored = { snapshot: handle.run((core) => core.snapshot()), position: 0, rows: [] };
  try {
    if (await store.create(stored.snapshot)) return { handle, stored };
  } catch (error) {
    handle.free();
    throw error;
  }
  handle.free();
  if (seed !== undefined) throw taken(settings);
  // Another tab was faster.
  const theirs = await readStore(opening, store, progress);
  if (theirs === null) throw new TidegateError("Blocked");
  return theirs;
}

/** A new core: with a fresh origin, and nothing pending. */
export function create(instance: Instance, { settings, seed }: Pick<Opening, "settings" | "seed">): Handle {
  const origin = random64();
  const { dimensions, kinds } = settings;
  if (seed === undefined) {
    const complete = completeKinds(kinds, kinds.length > 0 ? defaultKinds(instance) : []);
    const handle = new Handle(instance, (core) => core.create(...schema(dimensions, complete), origin));
    return freeOnError(handle, () => {
      openOutbox(handle, settings);
      return settled(handle);
    });
  }
  const handle = new Handle(instance, (core) => core.restore(seed, origin));
  return freeOnError(handle, () => {
    freshen(handle, settings);
    return settled(handle);
  });
}

async function readStore(opening: Opening, store: Store, progress: Progress): Promise<Folded | null> {
  const { settings, seed } = opening;
  try {
    const stored = await store.load();
    if (stored === null) return null;
    progress.found = true;
    checkStored(stored);
    if (stored.torn !== undefined) settings.onError(stored.torn);
    if (seed !== undefined) throw taken(settings);
    return { stored, handle: fold(await opening.instance, stored) };
  } catch (error) {
    const corrupt =
      error instanceof TidegateError && (error.code === "CorruptSnapshot" || error.code === "CorruptEvents");
    if (corrupt) progress.found = true;
    if (!corrupt || !settings.startEmpty) throw error;
    await store.quarantine();
    settings.onError(error);
    return null;
  }
}

// A store may be anybody's, and the core takes bytes only.
function checkStored({ snapshot, position, rows }: Stored): void {
  const bytes = [snapshot, ...rows].every((value: unknown) => value instanceof Uint8Array);
  if (!bytes || !Number.isSafeInteger(position) || position < 0) {
    throw new TidegateError("Storage", { argument: "storage", message: "the store gave something else than bytes" });
  }
}

function fold(instance: Instance, { snapshot, rows }: Stored): Handle {
  const handle = new Handle(instance, (core) => core.load(snapshot));
  return freeOnError(handle, () => {
    if (rows.length > 0) handle.run((core) => core.catchUp(rows));
    return settled(handle);
  });
}

function logWriter(opening: Opening, store: Store, folded: Folded): LogWriter {
  const { settings, tell, replaced } = opening;
  const { name, flushDelay, onError } = settings;
  return new LogWriter(folded, store, {
    flushDelay,
    onError,
    tell,
    replaced,
    link: (events) => new Tabs(name, events),
    startOver: async () => {
      const fresh = await findOrMake({ ...opening, seed: undefined }, store, { found: false });
      return freeOnError(fresh.handle, () => {
        freshen(fresh.handle, settings);
        return fresh;
      });
    },
  });
}

/** Adds what the options ask for and the data does not have; whether there was anything. */
function freshen(handle: Handle, settings: Settings): boolean {
  openSchema(handle, settings);
  openOutbox(handle, settings);
  return handle.run((core) => core.pending()) > 0;
}

function openOutbox(handle: Handle, { outbox }: Settings): void {
  if (outbox !== undefined) handle.run((core) => core.setOutbox(outbox));
}

/** Compares the schema with the stored one and adds what is new to it. */
function openSchema(handle: Handle, { dimensions, kinds }: Settings): void {
  const [stored, frozen] = handle.run((core) => [core.kinds(), core.dimensions()]);
  const complete = completeKinds(kinds, stored);
  compareKinds(complete, stored);
  if (dimensions !== 0 && frozen !== 0 && dimensions !== frozen) {
    const message = `the stored vectors have ${frozen} dimensions`;
    throw new TidegateError("SchemaMismatch", { argument: "dimensions", message });
  }
  handle.run((core) => core.openSchema(...schema(dimensions, complete)));
}

function schema(dimensions: number, kinds: readonly CoreKind[]): CoreSchema {
  const numbers = kinds.flatMap(({ weight, halfLifeMs, seen, hide }) => [weight, halfLifeMs, +seen + 2 * +hide]);
  return [dimensions, kinds.map(({ name }) => name), Float64Array.from(numbers)];
}

function defaultKinds(instance: Instance): CoreKind[] {
  return guard(instance, () => {
    const core = instance.Core.create(...schema(0, []), 1n);
    const kinds = core.kinds();
    core.free();
    return kinds;
  });
}

// What happened before a database was there is pending for nobody and news to nobody.
function settled(handle: Handle): Handle {
  handle.run((core) => {
    core.commit(core.pending());
    core.takeChanges();
  });
  return handle;
}

function freeOnError<T>(handle: Handle, work: () => T): T {
  try {
    return work();
  } catch (error) {
    handle.free();
    throw error;
  }
}

function taken({ name }: Settings): TidegateError {
  return new TidegateError("InvalidArgument", { argument: "name", message: `"${name}" has data already` });
}
