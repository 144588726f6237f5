// The other tabs of this database: how many there are, and how long one's leave takes to be in force here.
import type { Membership } from "tidegate";
import { clock } from "./clock.ts";
import type { Diary } from "./diary.ts";
import { newName } from "./kept.ts";

/** What tabs tell each other, beside what the library tells them. */
interface Message {
  says: "hello" | "here" | "bye";
  page: string;
}

/** What a tab hears of the others. */
interface TabNews {
  /** There are more, or fewer. */
  counted(): void;
  /** One of them left a community. */
  left(community: string): void;
}

/** See the top of the file. */
export class OtherTabs {
  readonly #diary: Diary;
  readonly #news: TabNews;
  readonly #others = new Set<string>();
  /** Leaves whose entry in the diary has not arrived yet: when the gate closed here. */
  readonly #closed: { community: string; epoch: number; at: number }[] = [];

  constructor(diary: Diary, news: TabNews) {
    this.#diary = diary;
    this.#news = news;
    diary.watch(() => this.#match());
    this.#greet();
  }

  /** How many other tabs are open. */
  get count(): number {
    return this.#others.size;
  }

  /** A membership of the person changed, here or elsewhere. */
  changed({ community, epoch, stopForwardAt }: Membership): void {
    if (stopForwardAt === null) return;
    this.#closed.push({ community, epoch, at: clock() });
    // What was done here is in the diary in a moment, as this tab's.
    queueMicrotask(() => this.#match());
  }

  #match(): void {
    const { entries } = this.#diary;
    for (const closed of [...this.#closed]) {
      const leave = entries.find(
        (entry) => entry.what === "leave" && entry.community === closed.community && entry.epoch === closed.epoch,
      );
      if (leave === undefined) continue;
      this.#closed.splice(this.#closed.indexOf(closed), 1);
      if (leave.tab === this.#diary.tab) continue;
      const took = Math.max(0, closed.at - leave.at);
      this.#diary.add({ what: "heard", at: closed.at, community: closed.community, of: leave.id, took });
      this.#news.left(closed.community);
    }
  }

  #greet(): void {
    const page = newName();
    const channel = new BroadcastChannel("tidegate-demo");
    const say = (says: Message["says"]): void => channel.postMessage({ says, page } satisfies Message);
    channel.addEventListener("message", ({ data }: MessageEvent<Message>) => {
      if (data.says === "bye") this.#others.delete(data.page);
      else this.#others.add(data.page);
      this.#news.counted();
      if (data.says === "hello") say("here");
    });
    addEventListener("pagehide", () => say("bye"));
    addEventListener("pageshow", () => say("hello"));
    say("hello");
  }
}
