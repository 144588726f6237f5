// The writer of databases that live in memory alone: what a call did is canonical when the call returns.
import { fault, type Handle } from "./core.js";
import type { Writer } from "./writer.js";

/** See the top of the file. */
export class MemoryWriter implements Writer {
  readonly persistent = false;
  readonly #handle: Handle;
  #position = 0;

  constructor(handle: Handle) {
    this.#handle = handle;
  }

  get position(): number {
    return this.#position;
  }

  changed(): void {
    const { core, instance } = this.#handle;
    try {
      // Not through `run`: every signal comes by here.
      if (core.commitAll() === 0) return;
    } catch (error) {
      throw fault(instance, error);
    }
    this.#position++;
  }

  urgent(): Promise<void> {
    this.changed();
    return Promise.resolve();
  }

  // Nothing outlives this process, and no other tab sees it: there is nothing to write down or to find.
  left(): void {}

  recall(): void {}

  honour(): boolean {
    return true;
  }

  flush(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
