// The writer of databases that live in memory alone: what a call did is canonical when the call returns.
import type { Handle } from "./core.js";
import type { Writer } from "./writer.js";

/** See the top of the file. */
export class MemoryWriter implements Writer {
  readonly persistent = false;
  readonly #handle: Handle;
  #position = 0;

  constructor(handle: Handle) {
    this.#handle = handle;
    handle.run((core) => core.settleSignals());
  }

  get position(): number {
    return this.#position;
  }

  changed(): void {
    if (this.#handle.run((core) => core.commitAll()) > 0) this.#position++;
  }

  // The core has committed them itself.
  signalled(): void {
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
