// An open database: each call checks its arguments, asks the core, and leaves the storing to the writer.
import { checkBatch } from "./batch.js";
import type { Changes } from "./changes.js";
import { bytes as copyOf, fields, oneOf, weight } from "./check.js";
import { type Core, type CoreLeave, fault, type Handle } from "./core.js";
import { invalidArgument, naming, TidegateError } from "./errors.js";
import { ABSENT, Ids } from "./ids.js";
import { checkItems } from "./items.js";
import { Kinds } from "./kinds.js";
import { random64 } from "./random.js";
import { checkQuery } from "./ranking.js";
import { signalTime } from "./time.js";
import type { Tombstone } from "./tombstones.js";
import type {
  BatchOutcome,
  Change,
  CommunityOutcome,
  CommunitySignal,
  ExportedEvents,
  Id,
  ImportReport,
  Item,
  LayerReceipt,
  LayerStatus,
  LeaveMode,
  LeaveReceipt,
  LocalSignal,
  Membership,
  Outcome,
  Profile,
  Query,
  QueryResult,
  SharePolicy,
  Signal,
  SignalBatch,
  Stats,
  Tidegate,
} from "./types.js";
import type { Writer } from "./writer.js";

/** The core's outcomes by number, made once: a signal allocates no result. */
const OUTCOMES: readonly Outcome[] = ["Local", "Recorded", "NotMember", "Left", "LayerLeft", "PolicyExcluded"];

/** What a cursor should be. */
const A_CURSOR = "a cursor that exportEvents of this database gave";
/** A string that is longer is no cursor, and not worth copying into the core. */
const MAX_CURSOR = 1_000_000;

/** What a database is made of. */
export interface Parts {
  name: string;
  now: () => number;
  handle: Handle;
  writer: Writer;
  changes: Changes;
}

/** See `Tidegate`, where every call is described. */
export class Database implements Tidegate {
  readonly name: string;
  readonly #now: () => number;
  readonly #writer: Writer;
  readonly #changes: Changes;
  // All of one core, which is replaced where the stored data was deleted (R18).
  #handle!: Handle;
  #core!: Core;
  #ids!: Ids;
  #kinds!: Kinds;
  #dimensions!: number;
  #closing: Promise<void> | undefined;

  declare [Symbol.asyncDispose]: () => Promise<void>;

  static {
    // Not every browser has the symbol yet.
    if (Symbol.asyncDispose !== undefined) {
      Database.prototype[Symbol.asyncDispose] = function (this: Database) {
        return this.close();
      };
    }
  }

  constructor({ name, now, handle, writer, changes }: Parts) {
    this.name = name;
    this.#now = now;
    this.#writer = writer;
    this.#changes = changes;
    this.replace(handle);
  }

  /** Puts another core in the place of this one, whose handle the writer frees. */
  replace(handle: Handle): void {
    this.#handle = handle;
    this.#core = handle.core;
    this.#ids = new Ids({
      nameId: (text) => handle.run((core) => core.nameId(text)),
      userNameId: (text) => handle.run((core) => core.userNameId(text)),
      handle: (id) => handle.run((core) => core.handle(id)),
    });
    this.#kinds = new Kinds(() => handle.run((core) => core.kinds()));
    this.#dimensions = handle.run((core) => core.dimensions());
  }

  get persistent(): boolean {
    return this.#writer.persistent;
  }

  get closed(): boolean {
    return this.#closing !== undefined;
  }

  upsertItems(items: Iterable<Item>): void {
    this.#enter();
    const checked = checkItems(items, this.#ids, this.#dimensions);
    this.#change((core) => {
      let changed = false;
      for (const { id, vector, categories, creator, createdAt } of checked) {
        changed = core.upsertItem(id, vector, categories, creator, createdAt) || changed;
      }
      return changed;
    });
  }

  removeItems(ids: Iterable<Id>): void {
    this.#enter();
    const checked = this.#ids.list(ids, "ids");
    this.#change((core) => {
      let changed = false;
      for (const id of checked) changed = core.removeItem(id) || changed;
      return changed;
    });
  }

  join(user: Id, community: Id, policy?: SharePolicy): number {
    this.#enter();
    const userId = this.#ids.user(user);
    const communityId = this.#ids.id(community, "community");
    const terms = this.#kinds.policy(policy);
    const now = this.#now();
    return this.#open(userId, communityId, (core) => core.join(userId, communityId, terms, now)).result;
  }

  leave(user: Id, community: Id, options?: { mode?: LeaveMode }): LeaveReceipt {
    this.#enter();
    const userId = this.#ids.user(user);
    const communityId = this.#ids.id(community, "community");
    const { mode } = options === undefined ? {} : fields<{ mode?: LeaveMode }>(options, "options");
    const purge = mode !== undefined && oneOf(mode, ["StopForward", "Purge"], "mode") === "Purge";
    const now = this.#leaveTime();
    const { result, durable } = this.#close(userId, now, (core) => {
      const left = core.leave(userId, communityId, purge, now);
      return { result: left, left: [communityId] };
    });
    return leaveReceipt(result, durable);
  }

  rejoin(user: Id, community: Id, policy?: SharePolicy): number {
    this.#enter();
    const userId = this.#ids.user(user);
    const communityId = this.#ids.id(community, "community");
    const terms = this.#kinds.policy(policy);
    const now = this.#now();
    const rejoin = (core: Core): number => core.rejoin(userId, communityId, terms, now);
    // Without a membership it is refused, and nothing has changed then.
    const known = this.#handle.run((core) => core.membershipEpoch(userId, communityId)) !== undefined;
    return known ? this.#open(userId, communityId, rejoin).result : this.#handle.run(rejoin);
  }

  membership(user: Id, community: Id): Membership | null {
    this.#enter();
    const userId = this.#ids.user(user);
    const communityId = this.#ids.id(community, "community");
    return this.#handle.run((core) => core.membership(userId, communityId));
  }

  memberships(user?: Id): readonly Membership[] {
    this.#enter();
    const userId = user === undefined ? ABSENT : this.#ids.user(user);
    return this.#handle.run((core) => core.memberships(userId));
  }

  membershipEpoch(user: Id, community: Id): number | null {
    this.#enter();
    const userId = this.#ids.user(user);
    const communityId = this.#ids.id(community, "community");
    return this.#handle.run((core) => core.membershipEpoch(userId, communityId)) ?? null;
  }

  leaveCommunityLayer(user: Id): LayerReceipt {
    this.#enter();
    const userId = this.#ids.user(user);
    const now = this.#leaveTime();
    const { result, durable } = this.#close(userId, now, (core) => ({
      result: core.leaveLayer(userId, now),
      left: [null],
    }));
    return withDurable(result, durable);
  }

  rejoinCommunityLayer(user: Id): LayerReceipt {
    this.#enter();
    const userId = this.#ids.user(user);
    const { result, durable } = this.#open(userId, null, (core) => core.rejoinLayer(userId));
    return withDurable(result, durable);
  }

  communityLayerStatus(user: Id): LayerStatus {
    this.#enter();
    const userId = this.#ids.user(user);
    return this.#handle.run((core) => core.layerStatus(userId));
  }

  setCohorts(user: Id, cohorts: Iterable<Id>): void {
    this.#enter();
    const userId = this.#ids.user(user);
    const checked = this.#ids.list(cohorts, "cohorts");
    this.#change((core) => core.setCohorts(userId, checked));
  }

  cohorts(user: Id): readonly string[] {
    this.#enter();
    const userId = this.#ids.user(user);
    return this.#handle.run((core) => core.cohorts(userId));
  }

  signal(signal: LocalSignal): "Local";
  signal(signal: CommunitySignal): CommunityOutcome;
  signal(signal: Signal): Outcome;
  signal(signal: Signal): Outcome {
    // Asked here: on the hot path the call costs more than the question.
    if (this.#closing !== undefined || this.#handle.instance.poisoned) this.#enter();
    const { user, item, kind, weight: given, at, community, agent } = fields<Signal>(signal, "signal");
    const now = this.#now();
    const userId = this.#ids.user(user);
    const itemId = this.#ids.id(item, "item");
    const kindNumber = this.#kinds.number(kind, "kind");
    const size = weight(given, ABSENT, "weight");
    const time = at === undefined ? ABSENT : signalTime(at, now, "at");
    const communityId = this.#ids.optional(community, "community");
    const agentId = this.#ids.optional(agent, "agent");
    if (this.#closing !== undefined || this.#handle.instance.poisoned) this.#enter();
    let outcome: number;
    try {
      // Not through `run`: the hot path makes no closure.
      outcome = this.#core.signal(userId, itemId, kindNumber, size, time, communityId, agentId, now);
    } catch (error) {
      throw fault(this.#handle.instance, error);
    }
    if (outcome < 0) throw fault(this.#handle.instance, -outcome);
    this.#writer.signalled();
    return OUTCOMES[outcome] as Outcome;
  }

  signalBatch(batch: SignalBatch): BatchOutcome {
    this.#enter();
    const now = this.#now();
    const { user, items, kinds, weights, at, community } = checkBatch(batch, this.#ids, this.#kinds.count, now);
    this.#enter();
    if (items.length === 0) return { recorded: 0, gated: 0 };
    const recorded = this.#handle.run((core) => core.signalBatch(user, items, kinds, weights, at, community, now));
    this.#writer.signalled();
    return { recorded, gated: Number.isNaN(community) ? 0 : items.length - recorded };
  }

  idOf(id: Id): bigint {
    this.#enter();
    return this.#ids.idOf(id);
  }

  kindOf(kind: string): number {
    this.#enter();
    return this.#kinds.number(kind, "kind");
  }

  query(query: Query): QueryResult {
    this.#enter();
    const began = performance.now();
    const rank = checkQuery(query, this.#ids, this.#now());
    const { items, policyMetadata, stats } = this.#handle.run(rank);
    return { items, policyMetadata, stats: { ...stats, durationMs: performance.now() - began } };
  }

  profile(user: Id): Profile {
    this.#enter();
    const userId = this.#ids.user(user);
    const now = this.#now();
    return this.#handle.run((core) => core.profile(userId, now));
  }

  forgetUser(user: Id): readonly LeaveReceipt[] {
    this.#enter();
    const userId = this.#ids.user(user);
    const now = this.#leaveTime();
    const { result, durable } = this.#close(userId, now, (core) => {
      const left = core.memberships(userId).map(({ community }) => this.#ids.id(community, "community"));
      return { result: core.forgetUser(userId, now), left };
    });
    return result.map((leave) => leaveReceipt(leave, durable));
  }

  snapshot(): Uint8Array<ArrayBuffer> {
    this.#enter();
    // The core copies it out of its memory, into a plain buffer.
    return this.#handle.run((core) => core.snapshot()) as Uint8Array<ArrayBuffer>;
  }

  exportEvents(options?: { communities?: Iterable<Id>; since?: string }): ExportedEvents {
    this.#enter();
    const { communities, since } =
      options === undefined ? {} : fields<{ communities?: Iterable<Id>; since?: string }>(options, "options");
    const only = communities === undefined ? undefined : this.#ids.list(communities, "communities");
    const after = since === undefined ? undefined : cursorText(since, "since");
    // Another tab may have left and not have come to say so.
    const known = this.#writer.honour();
    return naming("since", A_CURSOR, () =>
      this.#handle.run((core) => {
        if (known) return core.exportEvents(only, after);
        // Whose leave it is, this tab learns when it catches up. Until then it gives away nothing, and forgets no cursor.
        const { bytes, cursor } = core.exportEvents(new Float64Array(0), after);
        return { bytes, cursor: after ?? cursor };
      }),
    );
  }

  acknowledge(cursor: string): void {
    this.#enter();
    const text = cursorText(cursor, "cursor");
    naming("cursor", A_CURSOR, () =>
      this.#change((core) => {
        core.acknowledge(text);
        return core.pending() > 0;
      }),
    );
  }

  importEvents(bytes: Uint8Array): ImportReport {
    this.#enter();
    const copy = copyOf(bytes, "bytes");
    const now = this.#now();
    const { report, changes, pending } = naming("bytes", "events with which the database has at most 256 kinds", () =>
      this.#handle.run((core) => ({
        report: core.importEvents(copy, now),
        changes: core.takeChanges(),
        pending: core.pending() > 0,
      })),
    );
    // What closes a gate does not wait.
    if (changes.length > 0) this.#writer.urgent();
    else if (pending) this.#writer.changed();
    this.#changes.tell(changes);
    return report;
  }

  async flush(): Promise<void> {
    this.#enter();
    await this.#writer.flush();
  }

  close(): Promise<void> {
    this.#closing ??= this.#writer.close().finally(() => this.#handle.free());
    return this.#closing;
  }

  stats(): Stats {
    this.#enter();
    const [counters, pending] = this.#handle.run((core) => [core.stats(), core.pending()]);
    const { users, items, memberships, contributionsRecorded, contributionsGated } = counters;
    return {
      users,
      items,
      memberships,
      contributions: { recorded: contributionsRecorded, gated: contributionsGated },
      pending,
      logPosition: this.#writer.position,
      wasmBytes: this.#handle.instance.memory.buffer.byteLength,
    };
  }

  on(event: "change", listener: (change: Change) => void): () => void {
    this.#enter();
    if (event !== "change") throw invalidArgument("event", '"change"');
    return this.#changes.listen(listener);
  }

  #enter(): void {
    if (this.#closing !== undefined) throw new TidegateError("Closed");
    if (this.#handle.instance.poisoned) throw new TidegateError("Poisoned");
  }

  /** The host's time for a leave, which no clock that throws may stop (R15). */
  #leaveTime(): number {
    try {
      return this.#now();
    } catch {
      return Date.now();
    }
  }

  /** Changes what may wait a little to be stored. */
  #change(work: (core: Core) => boolean): void {
    // Again: reading the arguments ran the caller's code.
    this.#enter();
    if (this.#handle.run(work)) this.#writer.changed();
  }

  /** Opens a gate, after closing it where a leave is written down that this tab has not seen. */
  #open<T>(user: number, community: number | null, work: (core: Core) => T): { result: T; durable: Promise<void> } {
    this.#enter();
    const [userId, communityId] = this.#handle.run((core) => [
      core.idOf(user),
      community === null ? null : core.idOf(community),
    ]);
    this.#writer.recall(userId, communityId);
    const { result, changes } = this.#handle.run((core) => ({ result: work(core), changes: core.takeChanges() }));
    return { result, durable: this.#stored(changes) };
  }

  /** Closes gates of a user, and writes down which before anything can go wrong (R10). */
  #close<T>(
    user: number,
    at: number,
    work: (core: Core) => { result: T; left: (number | null)[] },
  ): { result: T; durable: Promise<void> } {
    this.#enter();
    const { result, tombstones, changes } = this.#handle.run((core) => {
      core.markLeaves(random64());
      const { result, left } = work(core);
      const userId = core.idOf(user);
      const tombstones = left.map((community): Omit<Tombstone, "tab"> => {
        const communityId = community === null ? null : core.idOf(community);
        return { user: userId, community: communityId, at, ...core.tombstone(userId, communityId ?? undefined) };
      });
      return { result, tombstones, changes: core.takeChanges() };
    });
    this.#writer.left(tombstones);
    return { result, durable: this.#stored(changes) };
  }

  /** Stores what must not wait, and tells the listeners. */
  #stored(changes: readonly Change[]): Promise<void> {
    const durable = this.#writer.urgent();
    this.#changes.tell(changes);
    return durable;
  }
}

function cursorText(cursor: unknown, argument: string): string {
  if (typeof cursor !== "string" || cursor.length > MAX_CURSOR) throw invalidArgument(argument, A_CURSOR);
  return cursor;
}

function leaveReceipt({ user, community, epoch, stopForwardAt }: CoreLeave, durable: Promise<void>): LeaveReceipt {
  return withDurable({ user, community, epoch, stopForwardAt }, durable);
}

// Not enumerable: a promise can neither be cloned nor turned into JSON, and the rest of a receipt can.
function withDurable<T extends object>(receipt: T, durable: Promise<void>): T & { durable: Promise<void> } {
  return Object.defineProperty(receipt, "durable", { value: durable }) as T & { durable: Promise<void> };
}
