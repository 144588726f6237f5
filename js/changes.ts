// Listeners for changes of memberships and of the layer.
import { callback } from "./check.js";
import { invalidArgument, TidegateError } from "./errors.js";
import type { Change } from "./types.js";

type Listener = (change: Change) => void;

/** Tells listeners of changes, in order: what a listener sets off by calling back in is told after what it was told. */
export class Changes {
  readonly #onError: (error: TidegateError) => void;
  // Functions in a wrapper: one that is added twice is called twice, and taken away once.
  readonly #listeners = new Set<{ listener: Listener }>();
  readonly #queue: Change[] = [];
  #telling = false;

  constructor(onError: (error: TidegateError) => void) {
    this.#onError = onError;
  }

  /** Adds a listener; the function that comes back takes it away. */
  listen(listener: unknown): () => void {
    const entry = { listener: callback<Listener | undefined>(listener, undefined, "listener") };
    if (entry.listener === undefined) throw invalidArgument("listener", "a function");
    this.#listeners.add(entry as { listener: Listener });
    return () => {
      this.#listeners.delete(entry as { listener: Listener });
    };
  }

  /** Tells all listeners of all changes. */
  tell(changes: readonly Change[]): void {
    this.#queue.push(...changes);
    if (this.#telling) return;
    this.#telling = true;
    for (let change = this.#queue.shift(); change !== undefined; change = this.#queue.shift()) {
      for (const { listener } of [...this.#listeners]) this.#tellOne(listener, change);
    }
    this.#telling = false;
  }

  #tellOne(listener: Listener, change: Change): void {
    try {
      // A copy each: what one listener does to it is not the next one's business.
      listener(structuredClone(change));
    } catch (cause) {
      const message = "a listener threw";
      this.#onError(
        cause instanceof TidegateError
          ? cause
          : new TidegateError("InvalidArgument", { argument: "listener", message, cause }),
      );
    }
  }
}
