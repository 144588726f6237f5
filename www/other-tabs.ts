// The other tabs of this database: how many there are, and how long one's leave takes to be in force here.
import { computed, signal } from "@preact/signals";
import type { Membership } from "tidegate";
import { clock } from "./clock.ts";
import type { Diary, Entry } from "./diary.ts";

/** What tabs tell each other, beside what the library tells them. */
interface Message {
  says: "hello" | "here" | "bye";
  page: string;
}

/** See the top of the file. */
export class OtherTabs {
  readonly #diary: Diary;
  readonly #noticed: (community: string) => void;
  readonly #others = signal<ReadonlySet<string>>(new Set());
  /** Leaves whose entry in the diary has not arrived yet: when the gate closed here. */
  readonly #closed: { community: string; epoch: number; at: number }[] = [];

  /** How many other tabs are open. */
  readonly count = computed(() => this.#others.value.size);

  constructor(diary: Diary, noticed: (community: string) => void) {
    this.#diary = diary;
    this.#noticed = noticed;
    diary.entries.subscribe((entries) => this.#match(entries));
    this.#greet();
  }

  /** A membership of the person changed, here or elsewhere. */
  changed({ community, epoch, stopForwardAt }: Membership): void {
    if (stopForwardAt === null) return;
    this.#closed.push({ community, epoch, at: clock() });
    // What was done here is in the diary in a moment, as this tab's.
    queueMicrotask(() => this.#match(this.#diary.entries.value));
  }

  #match(entries: readonly Entry[]): void {
    for (const closed of [...this.#closed]) {
      const leave = entries.find(
        (entry) => entry.what === "leave" && entry.community === closed.community && entry.epoch === closed.epoch,
      );
      if (leave === undefined) continue;
      this.#closed.splice(this.#closed.indexOf(closed), 1);
      if (leave.tab === this.#diary.tab) continue;
      const took = Math.max(0, closed.at - leave.at);
      this.#diary.add({ what: "heard", at: closed.at, community: closed.community, of: leave.id, took });
      this.#noticed(closed.community);
    }
  }

  #greet(): void {
    const page = crypto.randomUUID();
    const channel = new BroadcastChannel("tidegate-demo");
    const say = (says: Message["says"]): void => channel.postMessage({ says, page } satisfies Message);
    channel.addEventListener("message", ({ data }: MessageEvent<Message>) => {
      const others = new Set(this.#others.value);
      if (data.says === "bye") others.delete(data.page);
      else others.add(data.page);
      this.#others.value = others;
      if (data.says === "hello") say("here");
    });
    addEventListener("pagehide", () => say("bye"));
    addEventListener("pageshow", () => say("hello"));
    say("hello");
  }
}
