// Leaves that were written down and may not be stored yet: honoured by every tab, removed when they are stored (R10).
import type { Core } from "./core.js";
import { TidegateError } from "./errors.js";
import type { Tombstone, Tombstones } from "./tombstones.js";

/** See the top of the file. What the platform throws is told, and stops nothing. */
export class Leaves {
  readonly #tombstones: Tombstones;
  readonly #onError: (error: TidegateError) => void;

  constructor(tombstones: Tombstones, onError: (error: TidegateError) => void) {
    this.#tombstones = tombstones;
    this.#onError = onError;
  }

  /** Writes leaves down. */
  write(left: readonly Tombstone[]): void {
    for (const tombstone of left) this.#attempt((tombstones) => tombstones.write(tombstone));
  }

  /** Those that are written down, of members that the core knows: what others left may be on its way into the log. */
  read(core: Core): Tombstone[] {
    return this.#all().filter(({ user, community }) => core.concerns(user, community ?? undefined));
  }

  /** Closes what is written down as left, behind the first `sent` pending events, which are on their way into the log. */
  honour(core: Core, sent: number): Tombstone[] {
    const read = this.read(core);
    for (const { user, community, at, mark, again } of read) {
      core.honour(user, community ?? undefined, at, mark, again, sent);
    }
    return read;
  }

  /** The same for one gate, before it is opened: that comes after the leaves then. */
  recall(core: Core, user: bigint, community: bigint | null, sent: number): void {
    for (const tombstone of this.#all()) {
      const concerned = tombstone.user === user && tombstone.community === community;
      if (concerned) core.recall(user, community ?? undefined, tombstone.at, tombstone.mark, sent);
    }
  }

  /** Removes what is stored. */
  remove(read: readonly Tombstone[]): void {
    for (const tombstone of read) this.#attempt((tombstones) => tombstones.remove(tombstone));
  }

  /** Before that: tabs that have not folded `position` rows do not know of a leave that is stored, and can tell by this. */
  raiseFence(core: Core, position: number, elsewhere: boolean): void {
    this.#attempt(({ fence }) => fence?.raise(core.origin(), position, elsewhere));
  }

  /** Whether a leave is stored that a tab which has folded `position` rows cannot know of. */
  isAhead(core: Core, position: number): boolean {
    return this.#attempt(({ fence }) => fence?.isAhead(core.origin(), position)) ?? false;
  }

  #all(): Tombstone[] {
    return this.#attempt((tombstones) => tombstones.read()) ?? [];
  }

  #attempt<T>(work: (tombstones: Tombstones) => T): T | undefined {
    try {
      return work(this.#tombstones);
    } catch (cause) {
      const message = "a leave could not be written down ahead of being stored";
      this.#onError(new TidegateError("Storage", { message, cause }));
      return undefined;
    }
  }
}
