// The diary: what the person did on this page, and what became of it. Tidegate keeps sums and not single events, so the page
// writes down for itself what it shows in the log and on the time line. All tabs share one diary.
import type { Outcome } from "tidegate";
import { newName, read, tabName, whenWritten, write } from "./kept.ts";
import { Watched } from "./watched.ts";

/** What the buttons of a film can say about it. */
export type Kind = "like" | "save" | "skip" | "hide";

interface Common {
  /** No two entries share it. */
  id: string;
  /** The tab that wrote it. */
  tab: string;
  /** Milliseconds since 1970, with their fraction. */
  at: number;
}

/** The person said something about a film. */
export interface SignalEntry extends Common {
  what: "signal";
  kind: Kind;
  item: string;
  /** The title. */
  film: string;
  community: string;
  outcome: Outcome;
  /** The membership epoch at that time. */
  epoch: number | null;
}

/** An event of before was offered again, and refused. */
export interface ReplayEntry extends Common {
  what: "replay";
  kind: Kind;
  item: string;
  /** The title. */
  film: string;
  community: string;
  outcome: "StaleEpoch" | "Gated" | "Counted";
  epoch: number;
}

/** A membership changed. */
export interface MembershipEntry extends Common {
  what: "join" | "rejoin" | "leave" | "policy";
  community: string;
  epoch: number;
  /** How long the call took, in milliseconds. */
  took: number;
}

/** The switch over all communities was turned. */
export interface LayerEntry extends Common {
  what: "layerOff" | "layerOn";
  took: number;
}

/** A tab noticed that another one has left. */
export interface HeardEntry extends Common {
  what: "heard";
  community: string;
  /** The entry of the leave. */
  of: string;
  /** From the press in the other tab until this tab's gate was closed, in milliseconds. */
  took: number;
}

export type Entry = SignalEntry | ReplayEntry | MembershipEntry | LayerEntry | HeardEntry;
/** An entry before it is written. */
export type News = Entry extends infer E ? (E extends Entry ? Omit<E, "id" | "tab"> : never) : never;

const KEY = "diary";
/** Older entries fall away. */
const MOST = 300;

/** See the top of the file. */
export class Diary extends Watched {
  /** This tab. */
  readonly tab = tabName();
  #entries: readonly Entry[] = [];

  constructor() {
    super();
    this.#refresh();
    whenWritten(KEY, () => this.#refresh());
  }

  /** The entries, oldest first. */
  get entries(): readonly Entry[] {
    return this.#entries;
  }

  /** Writes entries down. */
  add(...news: News[]): void {
    // Another tab may have written meanwhile.
    this.#refresh();
    const added = news.map((entry): Entry => ({ ...entry, id: newName(), tab: this.tab }));
    this.#put([...this.#entries, ...added].sort((a, b) => a.at - b.at).slice(-MOST));
  }

  /** Forgets everything. */
  clear(): void {
    this.#put([]);
  }

  #put(entries: readonly Entry[]): void {
    this.#entries = entries;
    write(KEY, entries);
    this.tell();
  }

  // Where nothing can be kept, this tab's own entries are all there is.
  #refresh(): void {
    const kept = read(KEY);
    if (!Array.isArray(kept)) return;
    this.#entries = kept as Entry[];
    this.tell();
  }
}

/** Whether the person's word counted in its community. */
export function counted(entry: Entry): entry is SignalEntry {
  return entry.what === "signal" && entry.outcome === "Recorded";
}

/** How many of the person's words counted in a community, and how many nowhere, as far as the diary goes back. */
export function tally(entries: readonly Entry[], community: string): { counted: number; onlyHere: number } {
  const signals = entries.filter((entry) => entry.what === "signal");
  return {
    counted: signals.filter((entry) => counted(entry) && entry.community === community).length,
    onlyHere: signals.filter((entry) => !counted(entry)).length,
  };
}

/** What the person said last. */
export function lastSignal(entries: readonly Entry[]): SignalEntry | undefined {
  return entries.filter((entry) => entry.what === "signal").at(-1);
}
