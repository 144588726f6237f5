// A core whose events are words, for tests of the write loop: what is folded and what is pending can be read off.
import { type Core, Handle, type Instance } from "../../../js/core.js";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Somebody whose membership no fake core knows. */
export const STRANGER = 99n;

/** See the top of the file. */
export class FakeCore {
  readonly folded: string[] = [];
  readonly waiting: string[] = [];
  /** How often it was told that the row on its way is lost. */
  failures = 0;

  pending(): number {
    return this.waiting.length;
  }

  pendingRow(tab: bigint, number: number): Uint8Array {
    return encoder.encode(JSON.stringify({ tab: String(tab), number, events: this.waiting }));
  }

  commit(count: number): void {
    this.folded.push(...this.waiting.splice(0, count));
  }

  forgets(): number {
    return this.folded.filter((word) => word === "forget").length;
  }

  catchUp(rows: Uint8Array[]): number {
    const events = rows.flatMap((row) => rowEvents(row));
    this.folded.push(...events);
    return events.length;
  }

  reload(snapshot: Uint8Array): [] {
    this.folded.splice(0, this.folded.length, ...(JSON.parse(decoder.decode(snapshot)) as string[]));
    return [];
  }

  takeChanges(): [] {
    return [];
  }

  /** Leaves are the words "leave user community", and come right behind what is on its way. */
  honour(
    user: bigint,
    community: bigint | undefined,
    _at: number,
    _mark: bigint,
    _again: boolean,
    sent: number,
  ): boolean {
    const word = `leave ${user} ${community}`;
    if (this.folded.includes(word) || this.waiting.includes(word)) return false;
    this.waiting.splice(sent, 0, word);
    return true;
  }

  recall(user: bigint, community: bigint | undefined, at: number, mark: bigint, sent: number): void {
    this.honour(user, community, at, mark, false, sent);
  }

  /** Only one user is not known yet. */
  concerns(user: bigint): boolean {
    return user !== STRANGER;
  }

  rowFailed(): void {
    this.failures++;
  }

  origin(): bigint {
    return 1n;
  }

  free(): void {}

  snapshot(): Uint8Array {
    return encoder.encode(JSON.stringify(this.folded));
  }
}

/** The events in a row of a fake core. */
export function rowEvents(row: Uint8Array): string[] {
  return (JSON.parse(decoder.decode(row)) as { events: string[] }).events;
}

/** A handle of a fake core, in an instance of its own. */
export function fakeHandle(core: FakeCore): Handle {
  const only = core as unknown as Core;
  const instance: Instance = {
    Core: { create: () => only, load: () => only, restore: () => only },
    memory: new WebAssembly.Memory({ initial: 1 }),
    poisoned: false,
  };
  return new Handle(instance, (classes) => classes.create(0, [], new Float64Array(), 1n));
}
