// A store in this process's memory: what a store must do, in few lines. It can be made to fail, to answer late or never.
import { TidegateError } from "../../../js/index.js";
import type { Durability, Store, Stored } from "../../../js/store.js";

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

  async transact(
    position: number,
    step: (rows: Uint8Array[]) => Uint8Array | null,
    durability: Durability,
  ): Promise<void> {
    const failure = await this.#begin();
    const { stored } = this;
    if (stored === null) throw new TidegateError("Storage");
    if (stored.position > position) throw new TidegateError("Blocked");
    const row = step(stored.rows.slice(position - stored.position).map((bytes) => bytes.slice()));
    if (row !== null) stored.rows.push(row.slice());
    if (row !== null || durability === "strict") this.writes.push(row === null ? "sync" : durability);
    await Promise.resolve();
    if (failure !== undefined) throw failure;
  }

  async compact(position: number, snapshot: Uint8Array): Promise<void> {
    await this.#begin();
    const { stored } = this;
    if (stored === null) throw new TidegateError("Storage");
    if (stored.position >= position) return;
    this.stored = {
      snapshot: snapshot.slice(),
      position,
      rows: stored.rows.slice(position - stored.position),
    };
    this.writes.push("compact");
  }

  async quarantine(): Promise<void> {
    await this.#begin();
    if (this.stored !== null) this.quarantined.push(this.stored);
    this.stored = null;
    this.writes.push("quarantine");
  }

  close(): void {}

  async #begin(): Promise<Error | undefined> {
    await this.gate;
    const failure = this.failures.shift();
    if (failure === undefined || failure.after) return failure?.error;
    throw failure.error;
  }
}
