// Tombstones: what a leave writes down, synchronously, before it returns (R10). A page that is killed before its leave is
// stored comes back left, and other tabs stop too.

/** That a user left, and when. */
export interface Tombstone {
  /** Who, by 64-bit id. */
  user: bigint;
  /** What, by 64-bit id. Null: the community layer. */
  community: bigint | null;
  /** A random number that names the tab in which they did: two tabs' leaves are two, and who comes back has seen both. */
  tab: bigint;
  /** Milliseconds. */
  at: number;
  /** A random number that is in the log with the leave: once it is there, whoever opened the gate knew of it. */
  mark: bigint;
  /** The gate was closed already, as far as the tab of the leave had seen. */
  again: boolean;
}

/** A place for the tombstones of one database. Every call is synchronous, and may throw what the platform throws. */
export interface Tombstones {
  /** All there are. */
  read(): Tombstone[];
  /** Writes one; a second leave in the same tab replaces the first one's. */
  write(tombstone: Tombstone): void;
  /** Removes exactly this one: that of a later leave stays. */
  remove(tombstone: Tombstone): void;
  /** Where several tabs have the database at once. */
  readonly fence?: Fence;
}

/** Up to which row of the log leaves are stored that are written down no more: who has not folded it may miss one. */
export interface Fence {
  /**
   * Moves it up to a row; never down.
   * @param origin of the database; what is known of another one in its place is forgotten
   * @param position how many rows of the log leaves are stored in
   * @param elsewhere whether tabs outside this page must be able to tell
   */
  raise(origin: bigint, position: number, elsewhere: boolean): void;
  /** Whether it stands behind more rows of this database's log than `position`. */
  isAhead(origin: bigint, position: number): boolean;
}

const PREFIX = "tidegate:left:";
const KEY = /^tidegate:left:(\d{1,20}:(?:\d{1,20}|layer):\d{1,20}):(.*)$/s;

/** Whether a key of `localStorage` is that of a tombstone of this database. */
export function isTombstoneKey(key: string | null, name: string): boolean {
  return key?.startsWith(PREFIX) === true && KEY.exec(key)?.[2] === name;
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

/** Where the platform has no such place, as in a worker: they last as long as the page. */
export class PageTombstones implements Tombstones {
  readonly #all = new Map<string, Tombstone>();

  read(): Tombstone[] {
    return [...this.#all.values()];
  }

  write(tombstone: Tombstone): void {
    this.#all.set(leaverText(tombstone), tombstone);
  }

  remove(tombstone: Tombstone): void {
    const key = leaverText(tombstone);
    if (this.#all.get(key)?.mark === tombstone.mark) this.#all.delete(key);
  }
}

/** A fence for what has the database in one page, or in one process. */
export class PageFence implements Fence {
  static readonly #all = new Map<string, PageFence>();
  #of: bigint | undefined;
  #position = 0;

  /** The fence of one place, of which there is one. */
  static of(place: string): PageFence {
    const fence = PageFence.#all.get(place) ?? new PageFence();
    PageFence.#all.set(place, fence);
    return fence;
  }

  raise(origin: bigint, position: number): void {
    if (this.isAhead(origin, position)) return;
    this.#of = origin;
    this.#position = position;
  }

  isAhead(origin: bigint, position: number): boolean {
    return origin === this.#of && this.#position > position;
  }
}

/** Whose a tombstone is, as text. */
export function leaverText({ user, community, tab }: Omit<Tombstone, "at" | "mark" | "again">): string {
  return `${user}:${community ?? "layer"}:${tab}`;
}

/** A tombstone as text, without whose it is. */
export function tombstoneText({ at, mark, again }: Tombstone): string {
  return `${at} ${mark}${again ? " again" : ""}`;
}

const LEAVER = /^(\d{1,20}):(\d{1,20}|layer):(\d{1,20})$/;
const TEXT = /^(\S+) (\d{1,20})( again)?$/;

/** The tombstone of two such texts; undefined where they are none. */
export function tombstoneOf(leaver: string, text: string): Tombstone | undefined {
  const [, user, community, tab] = LEAVER.exec(leaver) ?? [];
  const [, at, mark, again] = TEXT.exec(text) ?? [];
  if (user === undefined || community === undefined || tab === undefined) return undefined;
  if (at === undefined || mark === undefined) return undefined;
  return {
    user: BigInt(user),
    community: community === "layer" ? null : BigInt(community),
    tab: BigInt(tab),
    at: Number(at),
    mark: BigInt(mark),
    again: again !== undefined,
  };
}

class LocalTombstones implements Tombstones {
  readonly fence: Fence;
  readonly #storage: Storage;
  readonly #name: string;

  constructor(storage: Storage, name: string) {
    this.#storage = storage;
    this.#name = name;
    this.fence = new LocalFence(storage, `tidegate:fence:${name}`);
  }

  read(): Tombstone[] {
    const found: Tombstone[] = [];
    for (let index = 0; index < this.#storage.length; index++) {
      const key = this.#storage.key(index);
      // Most keys are the app's own.
      if (key === null || !key.startsWith(PREFIX)) continue;
      const [, leaver = "", name] = KEY.exec(key) ?? [];
      if (name !== this.#name) continue;
      const tombstone = tombstoneOf(leaver, this.#storage.getItem(key) ?? "");
      if (tombstone !== undefined) found.push(tombstone);
    }
    return found;
  }

  write(tombstone: Tombstone): void {
    this.#storage.setItem(this.#key(tombstone), tombstoneText(tombstone));
  }

  remove(tombstone: Tombstone): void {
    const key = this.#key(tombstone);
    if (this.#storage.getItem(key) === tombstoneText(tombstone)) this.#storage.removeItem(key);
  }

  #key(tombstone: Tombstone): string {
    return `${PREFIX}${leaverText(tombstone)}:${this.#name}`;
  }
}

class LocalFence implements Fence {
  readonly #storage: Storage;
  readonly #key: string;
  readonly #page: PageFence;

  constructor(storage: Storage, key: string) {
    this.#storage = storage;
    this.#key = key;
    this.#page = PageFence.of(key);
  }

  raise(origin: bigint, position: number, elsewhere: boolean): void {
    if (elsewhere && !this.isAhead(origin, position)) this.#storage.setItem(this.#key, `${origin} ${position}`);
    this.#page.raise(origin, position);
  }

  isAhead(origin: bigint, position: number): boolean {
    const [of, at] = (this.#storage.getItem(this.#key) ?? "").split(" ");
    return this.#page.isAhead(origin, position) || (of === String(origin) && Number(at) > position);
  }
}
