// What a page has and Node lacks: `localStorage`, and events of the window and the document that a test sets off.
import { vi } from "vitest";

/** A `localStorage` over a map. It can be made to refuse what is written. */
export class FakeLocalStorage {
  readonly entries = new Map<string, string>();
  full = false;

  get length(): number {
    return this.entries.size;
  }

  key(index: number): string | null {
    return [...this.entries.keys()][index] ?? null;
  }

  getItem(key: string): string | null {
    return this.entries.get(key) ?? null;
  }

  setItem(key: string, value: string): void {
    if (this.full) throw new DOMException("full", "QuotaExceededError");
    this.entries.set(key, value);
  }

  removeItem(key: string): void {
    this.entries.delete(key);
  }
}

/** A window and a document until `vi.unstubAllGlobals()`; all tabs of the test share them. */
export class FakeWindow {
  readonly localStorage = new FakeLocalStorage();
  readonly #window = new EventTarget();
  readonly #document = Object.assign(new EventTarget(), { visibilityState: "visible" });

  constructor() {
    vi.stubGlobal("localStorage", this.localStorage);
    vi.stubGlobal("document", this.#document);
    vi.stubGlobal("addEventListener", this.#window.addEventListener.bind(this.#window));
    vi.stubGlobal("removeEventListener", this.#window.removeEventListener.bind(this.#window));
  }

  /** Sets off an event of the window. */
  fire(type: "focus" | "pageshow" | "pagehide" | "storage", properties: object = {}): void {
    this.#window.dispatchEvent(Object.assign(new Event(type), properties));
  }

  /** Shows or hides the page. */
  show(visibilityState: "visible" | "hidden"): void {
    this.#document.visibilityState = visibilityState;
    this.#document.dispatchEvent(new Event("visibilitychange"));
  }
}
