// Tabs tell each other to catch up. A message is a hint, never the truth: that is in the store.
import { random64 } from "./random.js";
import { isTombstoneKey } from "./tombstones.js";

/** What a tab notices. */
export interface TabEvents {
  /** Another tab may have stored something. */
  heard(): void;
  /** The page goes out of sight and may not come back. */
  hiding(): void;
}

/** The link to the other tabs of a database. */
export interface TabLink {
  /** Whether there may be another tab outside this page: one has been heard of, or none can be. */
  readonly elsewhere: boolean;
  /** Tells the others that something was stored. */
  tell(): void;
  close(): void;
}

/** What tabs say to each other, and the page that they are in. */
interface Message {
  says: "stored" | "hello" | "here";
  page: string;
}

let page: string | undefined;

/** Names this page. A page may open a database several times. */
function thisPage(): string {
  page ??= String(random64());
  return page;
}

/** Links this tab with the others of the database, as far as the platform can. */
export class Tabs implements TabLink {
  readonly #name: string;
  readonly #events: TabEvents;
  readonly #stops: (() => void)[] = [];
  #channel: BroadcastChannel | undefined;
  #elsewhere = false;

  constructor(name: string, events: TabEvents) {
    this.#name = name;
    this.#events = events;
    this.#listen();
    const { document } = globalThis as { document?: Document };
    this.#on(document, "visibilitychange", () => {
      if (document?.visibilityState === "hidden") events.hiding();
      else events.heard();
    });
    // In a worker there are no such events, and in Node there is nothing to listen to.
    const page = typeof globalThis.addEventListener === "function" ? globalThis : undefined;
    this.#on(page, "focus", () => events.heard());
    this.#on(page, "pageshow", () => {
      this.#listen();
      events.heard();
    });
    this.#on(page, "pagehide", () => {
      // A page in the back/forward cache must not be woken by a message: it would be dropped from the cache.
      this.#unlisten();
      events.hiding();
    });
    this.#on(page, "storage", (event) => {
      const { key, newValue } = event as StorageEvent;
      if (newValue !== null && isTombstoneKey(key, name)) events.heard();
    });
  }

  get elsewhere(): boolean {
    return this.#elsewhere || this.#channel === undefined;
  }

  tell(): void {
    if (this.#channel !== undefined) {
      this.#say("stored");
      return;
    }
    // While the page is hidden for good nothing is listened to, but its leave is still told.
    this.#channel = this.#open();
    this.#say("stored");
    this.#unlisten();
  }

  close(): void {
    this.#unlisten();
    for (const stop of this.#stops) stop();
  }

  #listen(): void {
    if (this.#channel !== undefined) return;
    this.#channel = this.#open();
    if (this.#channel === undefined) return;
    this.#channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if (data.page !== thisPage()) this.#elsewhere = true;
      if (data.says === "stored") this.#events.heard();
      else if (data.says === "hello") this.#say("here");
    };
    // A Node process is not kept alive by listening.
    (this.#channel as { unref?: () => void }).unref?.();
    this.#say("hello");
  }

  #say(says: Message["says"]): void {
    const message: Message = { says, page: thisPage() };
    this.#channel?.postMessage(message);
  }

  #unlisten(): void {
    this.#channel?.close();
    this.#channel = undefined;
  }

  #open(): BroadcastChannel | undefined {
    try {
      return typeof BroadcastChannel === "function" ? new BroadcastChannel(`tidegate:${this.#name}`) : undefined;
    } catch {
      // Forbidden, as in some sandboxed frames: this tab hears of the others when it writes.
      return undefined;
    }
  }

  #on(target: EventTarget | undefined, type: string, listener: (event: Event) => void): void {
    target?.addEventListener(type, listener);
    this.#stops.push(() => target?.removeEventListener(type, listener));
  }
}
