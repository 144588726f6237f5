// The first state of an opened database: folded from what a store holds, or made and stored.
import { type CoreConfig, type CoreKind, guard, Handle, type Instance } from "./core.js";
import { TidegateError } from "./errors.js";
import { LogWriter } from "./flush.js";
import { compareKinds, completeKinds } from "./kinds.js";
import type { Settings } from "./options.js";
import type { Store, Stored } from "./store.js";
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
  const { settings, seed } = opening;
  const folded = await readStore(opening, store, progress);
  if (folded !== null) return reopen(opening, store, folded);

  const handle = create(await opening.instance, opening);
  const stored: Stored = { snapshot: handle.run((core) => core.snapshot()), position: 0, rows: [] };
  try {
    if (await store.create(stored.snapshot)) return { handle, writer: logWriter(opening, store, handle, stored) };
  } catch (error) {
    handle.free();
    throw error;
  }
  handle.free();
  if (seed !== undefined) throw taken(settings);
  // Another tab was faster.
  const theirs = await readStore(opening, store, progress);
  if (theirs === null) throw new TidegateError("Blocked");
  return reopen(opening, store, theirs);
}

/** A new core: with a fresh origin, and nothing pending. */
export function create(instance: Instance, { settings, seed }: Pick<Opening, "settings" | "seed">): Handle {
  const origin = crypto.getRandomValues(new BigUint64Array(1))[0] as bigint;
  const { dimensions, kinds } = settings;
  if (seed === undefined) {
    const config = { dimensions, kinds: completeKinds(kinds, kinds.length > 0 ? defaultKinds(instance) : []) };
    return settled(new Handle(instance, (core) => core.create(config, origin)));
  }
  const handle = new Handle(instance, (core) => core.restore(seed, origin));
  return freeOnError(handle, () => {
    openSchema(handle, settings);
    return settled(handle);
  });
}

interface Folded {
  handle: Handle;
  stored: Stored;
}

async function readStore(opening: Opening, store: Store, progress: Progress): Promise<Folded | null> {
  const { settings, seed } = opening;
  try {
    const stored = await store.load();
    if (stored === null) return null;
    progress.found = true;
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

function fold(instance: Instance, { snapshot, rows }: Stored): Handle {
  const handle = new Handle(instance, (core) => core.load(snapshot));
  return freeOnError(handle, () => {
    if (rows.length > 0) handle.run((core) => core.catchUp(rows));
    return settled(handle);
  });
}

async function reopen(opening: Opening, store: Store, { handle, stored }: Folded): Promise<Opened> {
  const writer = logWriter(opening, store, handle, stored);
  try {
    openSchema(handle, opening.settings);
    // New kinds are stored before anybody can use them (R19).
    if (handle.run((core) => core.pending()) > 0) await writer.flush();
  } catch (error) {
    writer.stop();
    handle.free();
    throw error;
  }
  return { handle, writer };
}

function logWriter({ settings, tell }: Opening, store: Store, handle: Handle, stored: Stored): LogWriter {
  const { flushDelay, onError } = settings;
  return new LogWriter(handle, store, stored, { flushDelay, onError, tell });
}

/** Compares the schema with the stored one and adds what is new to it. */
function openSchema(handle: Handle, { dimensions, kinds }: Settings): void {
  const [stored, frozen] = handle.run((core) => [core.kinds(), core.dimensions()]);
  const config: CoreConfig = { dimensions, kinds: completeKinds(kinds, stored) };
  compareKinds(config.kinds, stored);
  if (dimensions !== 0 && frozen !== 0 && dimensions !== frozen) {
    const message = `the stored vectors have ${frozen} dimensions`;
    throw new TidegateError("SchemaMismatch", { argument: "dimensions", message });
  }
  handle.run((core) => core.openSchema(config));
}

function defaultKinds(instance: Instance): CoreKind[] {
  return guard(instance, () => {
    const core = instance.Core.create({ dimensions: 0, kinds: [] }, 1n);
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
