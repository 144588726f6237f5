// A store in this process's memory: what a store must do, in few lines. It can be made to fail, to answer late or never.

import { printAfter, withPrints } from "../../../js/fingerprint.js";
import { TidegateError } from "../../../js/index.js";
import type { Durability, News, Store, Stored } from "../../../js/store.js";
import { PageFence, type Tombstone, type Tombstones } from "../../../js/tombstones.js";

/** See the top of the file. */
export class MemoryStore implements Store {
  readonly persistent = true;
  /** What is stored. */
  stored: Stored | null = null;
  /** What was moved aside. */
  readonly quarantined: Stored[] = [];
  /** Each transaction that wrote, in order. */
  readonly writes: string[] = [];
  /** Makes the next calls fail, before or after they have written. */
  failures: { error: Error; after?: boolean }[] = [];
  /** Leaves that are written down, while there is a place for them. */
  tombstones: MemoryTombstones | undefined;
  #prints: Uint32Array = new Uint32Array(0);
  /** While this is set, calls wait for it. */
  gate: Promise<void> | undefined;

  async load(): Promise<Stored | null> {
    await this.#begin();
    return this.stored === null ? null : structuredClone(this.stored);
  }

  async create(snapshot: Uint8Array): Promise<boolean> {
    await this.#begin();
    if (this.stored !== null) return false;
    this.stored = { snapshot: snapshot.slice(), position: 0, rows: [] };
    this.writes.push("create");
    return true;
  }

  async read(position: number): Promise<News> {
    await this.#begin();
    return this.#news(position);
  }

  async transact(position: number, step: (news: News) => Uint8Array | null, durability: Durability): Promise<void> {
    const failure = await this.#begin();
    const row = step(this.#news(position));
    if (row !== null) this.stored?.rows.push(row.slice());
    if (row !== null || durability === "strict") this.writes.push(row === null ? "sync" : durability);
    await Promise.resolve();
    if (failure !== undefined) throw failure;
  }

  async compact(position: number, snapshot: Uint8Array): Promise<boolean> {
    await this.#begin();
    const { stored } = this;
    if (stored === null) throw new TidegateError("NotFound");
    if (stored.position >= position) return true;
    const count = position - stored.position;
    this.#prints = withPrints(this.#prints, stored.rows.slice(0, count));
    this.stored = { snapshot: snapshot.slice(), position, rows: stored.rows.slice(count) };
    this.writes.push("compact");
    return true;
  }

  async quarantine(): Promise<void> {
    await this.#begin();
    if (this.stored !== null) this.quarantined.push(this.stored);
    this.stored = null;
    this.writes.push("quarantine");
  }

  close(): void {}

  #news(position: number): News {
    if (this.stored === null) throw new TidegateError("NotFound");
    const { snapshot, position: compacted, rows } = structuredClone(this.stored);
    if (compacted <= position) {
      return { compacted, snapshot: null, rows: rows.slice(position - compacted), overtaken: undefined };
    }
    return { compacted, snapshot, rows, overtaken: printAfter(this.#prints, compacted, position) };
  }

  async #begin(): Promise<Error | undefined> {
    await this.gate;
    const failure = this.failures.shift();
    if (failure === undefined || failure.after) return failure?.error;
    throw failure.error;
  }
}

/** Tombstones in this process's memory. */
export class MemoryTombstones implements Tombstones {
  all: Tombstone[] = [];
  readonly fence = new PageFence();

  read(): Tombstone[] {
    return [...this.all];
  }

  write(tombstone: Tombstone): void {
    this.all.push(tombstone);
  }

  remove({ user, community, mark }: Tombstone): void {
    this.all = this.all.filter((one) => one.user !== user || one.community !== community || one.mark !== mark);
  }
}
