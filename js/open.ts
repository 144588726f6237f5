// Opens databases: puts the parts together, on the storage that was asked for or, where that cannot be had, in memory.
import { Changes } from "./changes.js";
import { bytes, view } from "./check.js";
import type { Instance } from "./core.js";
import { Database } from "./database.js";
import { within } from "./deadline.js";
import { TidegateError } from "./errors.js";
import { IndexedDbStore, storageError } from "./indexeddb-store.js";
import { load, loaded } from "./load.js";
import { MemoryWriter } from "./memory.js";
import { checkOptions, type Settings } from "./options.js";
import { create, fill, type Opened, type Opening, type Progress } from "./start.js";
import type { Store } from "./store.js";
import { localTombstones } from "./tombstones.js";
import type { OpenOptions, Tidegate } from "./types.js";

/** Storage that has not answered by then, in milliseconds, is given up; `open` settles within 10 s. */
const PATIENCE = 9_000;

/**
 * Opens (creating it at first) a database. Concurrent calls share one WebAssembly instantiation.
 *
 * Rejects with `InvalidArgument` (or another code of its options), `SchemaMismatch` (R19), `CorruptSnapshot`,
 * `CorruptEvents` or `UnsupportedVersion` where the stored bytes cannot be read (R9), `Storage`, `Blocked` or
 * `QuotaExceeded` where the storage that was asked for fails, `WasmUnavailable` where the module cannot be loaded.
 * @example
 * ```js
 * const films = await open({ name: "films" }); // IndexedDB in browsers, memory in Node
 * films.persistent; // → false
 * await films.close();
 * ```
 */
export async function open(options?: OpenOptions): Promise<Tidegate> {
  return assemble(checkOptions(options), undefined);
}

/**
 * A new in-memory or stored database from `snapshot()` bytes, which are left as they are; it gets an origin of its own, and
 * is stored when the promise resolves. `InvalidArgument` where the name has data already (R20); else rejects as `open`, and
 * with `CorruptSnapshot` or `UnsupportedVersion` for bytes that cannot be read.
 * @example
 * ```js
 * tide.signal({ user: "ada", item: "heat", kind: "like" });
 * const copy = await restore(tide.snapshot(), { name: "copy" });
 * copy.profile("ada").signals; // → 1
 * await restore(new Uint8Array(3)); // → throws CorruptSnapshot
 * ```
 */
export async function restore(snapshot: Uint8Array, options?: OpenOptions): Promise<Tidegate> {
  const settings = checkOptions(options);
  // The caller may use the buffer again while this goes on. With the module at hand nothing is waited for, so that the core
  // reads the bytes where they are; else they are copied now.
  const instance = settings.storage === "memory" ? loaded() : undefined;
  if (instance === undefined) return assemble(settings, bytes(snapshot, "snapshot"));
  return database(settings, new Changes(settings.onError), inMemory(instance, settings, view(snapshot, "snapshot")));
}

async function assemble(settings: Settings, seed: Uint8Array | undefined): Promise<Tidegate> {
  const instance = load(settings.wasm);
  // Storage answers meanwhile; a module that fails before it is no unhandled rejection.
  instance.catch(() => {});
  const changes = new Changes(settings.onError);
  let opened: Database | undefined;
  const parts = await openStorage({
    settings,
    seed,
    instance,
    tell: (list) => changes.tell(list),
    replaced: (fresh) => opened?.replace(fresh),
  });
  opened = database(settings, changes, parts);
  return opened;
}

function database({ name, now }: Settings, changes: Changes, { handle, writer }: Opened): Database {
  return new Database({ name, now, handle, writer, changes });
}

function inMemory(instance: Instance, settings: Settings, seed: Uint8Array | undefined): Opened {
  const handle = create(instance, { settings, seed });
  return { handle, writer: new MemoryWriter(handle) };
}

async function openStorage(opening: Opening): Promise<Opened> {
  const { settings } = opening;
  const progress: Progress = { found: false };
  try {
    const store = findStore(settings);
    if (store !== undefined) return await openStore(opening, store, progress);
  } catch (error) {
    const failed = error instanceof TidegateError ? error : storageError(error);
    const unusable = failed.code === "Storage" || failed.code === "Blocked" || failed.code === "QuotaExceeded";
    // What is stored is never passed over for something emptier (R9): only storage that showed nothing is.
    if (settings.storage !== "auto" || progress.found || !unusable) throw failed;
    settings.onError(failed);
  }
  return inMemory(await opening.instance, settings, opening.seed);
}

/** The store to use; undefined is memory. */
function findStore({ storage, name, persist, onError }: Settings): Store | undefined {
  if (typeof storage !== "string") return storage;
  if (storage === "memory") return undefined;
  // Where storage is forbidden, reading the property throws.
  const factory = (globalThis as { indexedDB?: IDBFactory }).indexedDB;
  if (factory !== undefined) {
    if (persist) askToKeep();
    return new IndexedDbStore(factory, name, localTombstones(name), onError);
  }
  if (storage === "auto") return undefined;
  throw new TidegateError("Storage", { argument: "storage", message: "there is no IndexedDB here" });
}

// Not waited for: some browsers ask the person. A refusal changes nothing.
function askToKeep(): void {
  const { navigator } = globalThis as { navigator?: Partial<Navigator> };
  navigator?.storage?.persist?.().catch(() => {});
}

async function openStore(opening: Opening, store: Store, progress: Progress): Promise<Opened> {
  const opened = fill(opening, store, progress);
  try {
    return await within(
      PATIENCE,
      opened,
      () => new TidegateError("Storage", { message: "the storage does not answer" }),
    );
  } catch (error) {
    store.close();
    // An answer that comes late is not used.
    opened.then(
      ({ handle }) => handle.free(),
      () => {},
    );
    throw error;
  }
}
