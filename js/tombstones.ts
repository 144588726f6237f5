// Tombstones: what a leave writes down, synchronously, before it returns (R10). A page that is killed before its leave is
// stored comes back left, and other tabs stop too.

/** That a user left, and when. */
export interface Tombstone {
  user: bigint;
  /** Null: the community layer. */
  community: bigint | null;
  /** The membership epoch that was left; of the layer, 0. A rejoin since then knew of the leave. */
  epoch: number;
  /** Milliseconds. */
  at: number;
}

/** A place for the tombstones of one database. Every call is synchronous, and may throw what the platform throws. */
export interface Tombstones {
  /** All there are. */
  read(): Tombstone[];
  /** Writes one; a second leave replaces the first one's. */
  write(tombstone: Tombstone): void;
  /** Removes exactly this one: that of a later leave stays. */
  remove(tombstone: Tombstone): void;
}

const PREFIX = "tidegate:left:";
const KEY = /^tidegate:left:(\d{1,20}):(\d{1,20}|layer):(.*)$/s;

/** Whether a key of `localStorage` is that of a tombstone of this database. */
export function isTombstoneKey(key: string | null, name: string): boolean {
  return key?.startsWith(PREFIX) === true && KEY.exec(key)?.[3] === name;
}

/** Tombstones in `localStorage`; undefined where there is none. */
export function localTombstones(name: string): Tombstones | undefined {
  try {
    const { localStorage } = globalThis as { localStorage?: Storage };
    return localStorage === undefined ? undefined : new LocalTombstones(localStorage, name);
  } catch {
    // Where storage is forbidden, reading the property throws.
    return undefined;
  }
}

class LocalTombstones implements Tombstones {
  readonly #storage: Storage;
  readonly #name: string;

  constructor(storage: Storage, name: string) {
    this.#storage = storage;
    this.#name = name;
  }

  read(): Tombstone[] {
    const found: Tombstone[] = [];
    for (let index = 0; index < this.#storage.length; index++) {
      const key = this.#storage.key(index);
      // Most keys are the app's own.
      if (key === null || !key.startsWith(PREFIX)) continue;
      const [, user, community, name] = KEY.exec(key) ?? [];
      if (user === undefined || community === undefined || name !== this.#name) continue;
      const [at = Number.NaN, epoch = 0] = (this.#storage.getItem(key) ?? "").split(" ").map(Number);
      found.push({ user: BigInt(user), community: community === "layer" ? null : BigInt(community), epoch, at });
    }
    return found;
  }

  write(tombstone: Tombstone): void {
    this.#storage.setItem(this.#key(tombstone), textOf(tombstone));
  }

  remove(tombstone: Tombstone): void {
    const key = this.#key(tombstone);
    if (this.#storage.getItem(key) === textOf(tombstone)) this.#storage.removeItem(key);
  }

  #key({ user, community }: Tombstone): string {
    return `${PREFIX}${user}:${community ?? "layer"}:${this.#name}`;
  }
}

function textOf({ at, epoch }: Tombstone): string {
  return `${at} ${epoch}`;
}
