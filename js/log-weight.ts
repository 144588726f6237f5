// When a log is worth compacting: how much its rows weigh beside the snapshot.
import type { Stored } from "./store.js";

/** A log is not compacted while it is smaller than this, in bytes. */
const SMALL_LOG = 65_536;

/** The size of the rows that no snapshot stands for yet. */
export class LogWeight {
  #position: number;
  #snapshot: number;
  #rows: number[];
  #total: number;

  constructor({ position, snapshot, rows }: Stored) {
    this.#position = position;
    this.#snapshot = snapshot.length;
    this.#rows = [];
    this.#total = 0;
    this.add(...rows);
  }

  /** Whether the rows outweigh the snapshot. */
  get heavy(): boolean {
    return this.#total > Math.max(this.#snapshot, SMALL_LOG);
  }

  /** Rows were appended. */
  add(...rows: Uint8Array[]): void {
    for (const { length } of rows) {
      this.#rows.push(length);
      this.#total += length;
    }
  }

  /** Some tab has compacted up to `position`; how large the snapshot is, is known where this tab made it. */
  compacted(position: number, snapshot = this.#snapshot): void {
    this.#snapshot = snapshot;
    if (position <= this.#position) return;
    for (const length of this.#rows.splice(0, position - this.#position)) this.#total -= length;
    this.#position = position;
  }
}
