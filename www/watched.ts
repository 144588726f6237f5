// What views look at, and are told to look at again.

/** Something that changes. */
export class Watched {
  readonly #listeners = new Set<() => void>();
  #telling = false;

  /** Calls `listener` after changes: once, however much one click changes. The function that comes back ends it. */
  watch(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Tells those who watch. */
  protected tell(): void {
    if (this.#telling) return;
    this.#telling = true;
    queueMicrotask(() => {
      this.#telling = false;
      for (const listener of this.#listeners) listener();
    });
  }
}
