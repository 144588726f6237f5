// What this layer relies on of the WebAssembly core, and the one way to call it. Ids are numbers as in ids.ts, times are
// milliseconds, NaN is absent; results are plain objects.
import { coreError, TidegateError } from "./errors.js";
import type {
  Change,
  ExportedEvents,
  ImportReport,
  LayerStatus,
  Membership,
  Profile,
  QueryResult,
  QueryStats,
} from "./types.js";

/** A kind of signal, all of it. */
export interface CoreKind {
  name: string;
  weight: number;
  halfLifeMs: number;
  seen: boolean;
  hide: boolean;
}

/**
 * The schema that a database is opened with: the length of vectors, 0 for none; the names of the kinds; of each kind its weight,
 * its half-life in milliseconds, and 1 for seen plus 2 for hide.
 */
export type CoreSchema = [dimensions: number, names: string[], numbers: Float64Array];

/** A share policy: its version; 0 for all kinds, 1 for none, 2 for some; the numbers of these. */
export type CorePolicy = Uint16Array;

/** What a leave did. */
export interface CoreLeave {
  user: string;
  community: string;
  epoch: number;
  stopForwardAt: number;
}

/** A ranking, before it is known how long it took. */
export type CoreRanking = Omit<QueryResult, "stats"> & { stats: Omit<QueryStats, "durationMs"> };

/** Counters of the core. */
export interface CoreStats {
  users: number;
  items: number;
  memberships: number;
  contributionsRecorded: number;
  contributionsGated: number;
}

/** One database inside a WebAssembly instance. A failing call throws a number and has changed nothing. */
export interface Core {
  free(): void;
  openSchema(...schema: CoreSchema): boolean;
  setOutbox(enabled: boolean): boolean;
  kinds(): CoreKind[];
  dimensions(): number;
  nameId(name: string): bigint;
  userNameId(name: string): bigint;
  handle(id: bigint): number;
  /** The 64-bit id behind an id argument. */
  idOf(id: number): bigint;
  join(user: number, community: number, policy: CorePolicy | undefined, now: number): number;
  leave(user: number, community: number, purge: boolean, now: number): CoreLeave;
  rejoin(user: number, community: number, policy: CorePolicy | undefined, now: number): number;
  membership(user: number, community: number): Membership | null;
  memberships(user: number): Membership[];
  membershipEpoch(user: number, community: number): number | undefined;
  leaveLayer(user: number, now: number): LayerStatus;
  rejoinLayer(user: number): LayerStatus;
  layerStatus(user: number): LayerStatus;
  setCohorts(user: number, cohorts: Float64Array): boolean;
  cohorts(user: number): string[];
  /** The outcome by its number; below 0, the number of an error, which is not thrown. */
  signal(
    user: number,
    item: number,
    kind: number,
    weight: number,
    at: number,
    community: number,
    agent: number,
    now: number,
  ): number;
  signalBatch(
    user: number,
    items: BigUint64Array,
    kinds: Uint16Array,
    weights: Float32Array | undefined,
    at: Float64Array | undefined,
    community: number,
    now: number,
  ): number;
  upsertItem(
    id: number,
    vector: Float32Array | undefined,
    categories: string[],
    creator: number,
    createdAt: number,
  ): boolean;
  removeItem(id: number): boolean;
  query(
    user: number,
    community: number,
    cohort: number,
    candidates: Float64Array | undefined,
    exclude: Float64Array,
    includeSeen: boolean,
    limit: number,
    offset: number,
    at: number,
    diversity: number,
  ): CoreRanking;
  profile(user: number, now: number): Profile;
  forgetUser(user: number, now: number): CoreLeave[];
  exportEvents(communities: Float64Array | undefined, since: string | undefined): ExportedEvents;
  acknowledge(cursor: string): void;
  importEvents(bytes: Uint8Array, now: number): ImportReport;
  snapshot(): Uint8Array;
  stats(): CoreStats;
  /** From now on signals are committed as they are recorded, and never pending. */
  settleSignals(): void;
  /** How many events wait to be stored. */
  pending(): number;
  /** The pending events as one row of the log. */
  pendingRow(tab: bigint, number: number): Uint8Array;
  /** The first `count` pending events are stored now. */
  commit(count: number): void;
  /** All pending events are stored now; how many there were. */
  commitAll(): number;
  /** How many forgettings of users are in the log as far as this core has folded it. */
  forgets(): number;
  /** Folds rows of the log beneath the pending events; how many events that were. */
  catchUp(rows: Uint8Array[]): number;
  /** Begins again from a newer snapshot, beneath the pending events; what changed by it. */
  reload(snapshot: Uint8Array): Change[];
  /** The row that was offered is not in the log. */
  rowFailed(): void;
  /** What the leaves that follow are marked with. */
  markLeaves(mark: bigint): void;
  /** What to write down of a leave that has just been made. */
  tombstone(user: bigint, community: bigint | undefined): { mark: bigint; again: boolean };
  /** Whether there is a membership that a tombstone is of; of the layer, always. */
  concerns(user: bigint, community: bigint | undefined): boolean;
  /** Honours a tombstone, behind the first `sent` pending events; whether the gate was open. */
  honour(user: bigint, community: bigint | undefined, at: number, mark: bigint, again: boolean, sent: number): boolean;
  /** The same before the gate is opened. */
  recall(user: bigint, community: bigint | undefined, at: number, mark: bigint, sent: number): void;
  /** The random number that names the database. */
  origin(): bigint;
  /** What changed since the last call. */
  takeChanges(): Change[];
}

/** The class whose instances are databases. */
export interface CoreClass {
  create(...schema: [...CoreSchema, origin: bigint]): Core;
  load(snapshot: Uint8Array): Core;
  restore(snapshot: Uint8Array, origin: bigint): Core;
}

/** A WebAssembly instance. Its databases share its memory, and its fate. */
export interface Instance {
  readonly Core: CoreClass;
  readonly memory: WebAssembly.Memory;
  /** Set by the first fault; from then on nothing of the instance is trusted. */
  poisoned: boolean;
}

/**
 * Runs calls into an instance. A number that the core throws becomes a TidegateError. Anything else that comes out of it (a
 * trap, an overflowing stack, an unusable object) leaves the instance's memory in a state that nobody knows, so it poisons
 * every database of the instance. `work` must not run code of the caller's.
 */
export function guard<T>(instance: Instance, work: () => T): T {
  if (instance.poisoned) throw new TidegateError("Poisoned");
  try {
    return work();
  } catch (error) {
    throw fault(instance, error);
  }
}

/** The error to throw for what came out of a call into an instance. */
export function fault(instance: Instance, error: unknown): unknown {
  if (error instanceof TidegateError) return error;
  const known = coreError(error);
  if (known !== undefined) return known;
  instance.poisoned = true;
  return new TidegateError("Poisoned", { cause: error });
}

/** A core together with its instance. */
export class Handle {
  readonly instance: Instance;
  readonly core: Core;
  #freed = false;

  constructor(instance: Instance, make: (core: CoreClass) => Core) {
    this.instance = instance;
    this.core = guard(instance, () => make(instance.Core));
  }

  /** Calls into the core; see `guard`. */
  run<T>(work: (core: Core) => T): T {
    if (this.#freed) throw new TidegateError("Closed");
    return guard(this.instance, () => work(this.core));
  }

  /** Gives the core's memory back. A poisoned instance is left alone; it goes as a whole. */
  free(): void {
    if (!this.#freed && !this.instance.poisoned) this.run((core) => core.free());
    this.#freed = true;
  }
}
