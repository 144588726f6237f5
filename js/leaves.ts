// Leaves that were written down and may not be stored yet: honoured by every tab, removed when they are stored (R10).
import type { Core } from "./core.js";
import { TidegateError } from "./errors.js";
import { idNumber } from "./ids.js";
import type { Tombstone, Tombstones } from "./tombstones.js";

/** See the top of the file. What the platform throws is told, and stops nothing. */
export class Leaves {
  readonly #tombstones: Tombstones | undefined;
  readonly #onError: (error: TidegateError) => void;

  constructor(tombstones: Tombstones | undefined, onError: (error: TidegateError) => void) {
    this.#tombstones = tombstones;
    this.#onError = onError;
  }

  /** Writes leaves down. */
  write(left: readonly Tombstone[]): void {
    for (const tombstone of left) this.#attempt((tombstones) => tombstones.write(tombstone));
  }

  /** Whether any is written down. */
  any(): boolean {
    return this.#read().length > 0;
  }

  /**
   * Closes what is written down as left: all of it, and how much of it was open. What is pending of the leaver counts no
   * more; but `offered` says that pending events are on their way into the log, and then they stay what they are.
   */
  honour(core: Core, offered: boolean): { read: Tombstone[]; closed: number } {
    const read = this.#read();
    return { read, closed: read.filter((tombstone) => honourOne(core, tombstone, offered)).length };
  }

  /** The same for one leave, before what opens its gate again. */
  honourOf(core: Core, user: bigint, community: bigint | null, offered: boolean): Tombstone[] {
    const read = this.#read().filter((tombstone) => tombstone.user === user && tombstone.community === community);
    for (const tombstone of read) honourOne(core, tombstone, offered);
    return read;
  }

  /** Removes what is stored, or is not in force any more. */
  remove(read: readonly Tombstone[]): void {
    for (const tombstone of read) this.#attempt((tombstones) => tombstones.remove(tombstone));
  }

  #read(): Tombstone[] {
    return this.#attempt((tombstones) => tombstones.read()) ?? [];
  }

  #attempt<T>(work: (tombstones: Tombstones) => T): T | undefined {
    try {
      return this.#tombstones === undefined ? undefined : work(this.#tombstones);
    } catch (cause) {
      const message = "a leave could not be written down ahead of being stored";
      this.#onError(new TidegateError("Storage", { message, cause }));
      return undefined;
    }
  }
}

function honourOne(core: Core, tombstone: Tombstone, offered: boolean): boolean {
  const { user, community, at } = tombstone;
  if (isOver(core, tombstone)) return false;
  if (!offered) return community === null ? core.honourLayerLeave(user, at) : core.honourLeave(user, community, at);
  // When the row is stored, the pending events must be what it holds. So this leave is one like any other.
  const before = core.pending();
  const userId = idNumber(user, core);
  if (community === null) core.leaveLayer(userId, at);
  else if (core.membership(userId, idNumber(community, core)) !== null) {
    core.leave(userId, idNumber(community, core), false, at);
  }
  return core.pending() > before;
}

/** Whether somebody who knew of the leave has opened the gate since. What this tab reads of tombstones may lag behind. */
function isOver(core: Core, { user, community, epoch, at }: Tombstone): boolean {
  const userId = idNumber(user, core);
  if (community !== null) return (core.membershipEpoch(userId, idNumber(community, core)) ?? 0) > epoch;
  return (core.layerStatus(userId).leftAt ?? Number.NEGATIVE_INFINITY) >= at;
}
