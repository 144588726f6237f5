// A page with an open database that a test calls into, next to other tabs with the same one.
import { open } from "tidegate";
import { Random } from "../support/random.ts";
import { messages } from "./messages.ts";

const [USER, COMMUNITY] = ["ann", "readers"];
const db = await open({ name: "tabs-test", storage: "indexeddb" });
const me = crypto.randomUUID();
/** What the tabs of the test tell each other; apart from the library's own channel. */
const channel = new BroadcastChannel("the test's own");

/** That a tab's gate is open, or closed, and since when; or that all shall begin. */
type Told = { from: string; state: string; at: number } | "go";

/** The same clock in all tabs. */
const clock = (): number => performance.timeOrigin + performance.now();

/** Waits until so many other tabs say that their gate is open, or closed; when the last one's was. */
function others(count: number, state: "Joined" | "Left"): Promise<number> {
  const when = new Map<string, number>();
  return new Promise((resolve) => {
    const heard = ({ data }: MessageEvent<Told>): void => {
      if (data === "go" || data.state !== state) return;
      when.set(data.from, data.at);
      if (when.size < count) return;
      channel.removeEventListener("message", heard);
      resolve(Math.max(...when.values()));
    };
    channel.addEventListener("message", heard);
  });
}

/** A turn of the event loop; a timer would wait for a second in a tab out of sight. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

const signal = (item: number) => db.signal({ user: USER, item, kind: "view", community: COMMUNITY });

function leaveForGood(): never {
  db.leave(USER, COMMUNITY);
  for (;;);
}

/** What the tab has done at random. */
interface Played {
  /** How often what this tab had just done was not so. */
  wrong: string[];
  recorded: number;
  gated: number;
  leaves: number;
}
let played: Promise<Played> | undefined;
let begin = (): void => {};

async function play(seed: number, steps: number, loss: number): Promise<Played> {
  const random = new Random(seed);
  const done: Played = { wrong: [], recorded: 0, gated: 0, leaves: 0 };
  messages.lose = () => random.chance(loss);
  const expect = (after: string, outcome: string, expected: string): void => {
    if (outcome !== expected) done.wrong.push(`${outcome} after ${after}`);
  };
  for (let step = 0; step < steps; step++) {
    const dice = random.below(20);
    if (dice === 0) {
      db.join(USER, COMMUNITY);
      expect("join", signal(1), "Recorded");
    } else if (dice === 1) {
      db.rejoin(USER, COMMUNITY);
      expect("rejoin", signal(2), "Recorded");
    } else if (dice <= 3) {
      db.leave(USER, COMMUNITY);
      expect("leave", signal(3), "Left");
      done.leaves++;
    } else if (dice <= 5) await db.flush();
    else if (signal(10 + random.below(50)) === "Recorded") done.recorded++;
    else done.gated++;
    await turn();
  }
  messages.lose = () => false;
  return done;
}

const calls = {
  /** Tells the others of each membership change from now on. */
  echo(): void {
    db.on("change", (change) => {
      if (change.type !== "membership") return;
      const outcome = signal(1);
      const state = outcome === "Recorded" ? "Joined" : outcome;
      channel.postMessage({ from: me, state, at: clock() } satisfies Told);
    });
  },

  /** Joins and leaves; how long each leave took to be in force in all other tabs, in milliseconds. */
  async rounds(count: number, tabs: number): Promise<number[]> {
    const took: number[] = [];
    for (let round = 0; round < count; round++) {
      const joined = others(tabs, "Joined");
      db.join(USER, COMMUNITY);
      await joined;
      const left = others(tabs, "Left");
      const began = clock();
      db.leave(USER, COMMUNITY);
      took.push((await left) - began);
    }
    return took;
  },

  /** Joins, and has that stored. */
  async join(): Promise<number> {
    const epoch = db.join(USER, COMMUNITY);
    await db.flush();
    return epoch;
  },

  /** Leaves, and never gives the page another turn: nothing is stored but what `leave` itself has written down. */
  leaveAndHang(): void {
    // The call itself is answered first.
    setTimeout(leaveForGood, 500);
  },

  /** The same while the page is being left for another one. */
  leaveInPagehide(): void {
    addEventListener("pagehide", leaveForGood);
    setTimeout(() => location.assign("about:blank"), 500);
  },

  /** Does things at random as soon as a tab says `go`; each message is lost with the probability `loss`. */
  ready(seed: number, steps: number, loss: number): void {
    played = new Promise((resolve) => {
      begin = () => resolve(play(seed, steps, loss));
    });
    channel.addEventListener("message", ({ data }: MessageEvent<Told>) => {
      if (data === "go") begin();
    });
  },

  go(): void {
    channel.postMessage("go" satisfies Told);
    begin();
  },

  /** What was done at random, and what became of the messages, when that is over and stored. */
  async played() {
    const done = await played;
    await db.flush();
    return { ...done, sent: messages.sent, lost: messages.lost };
  },

  /** Stores something, and so learns what the others have stored and has them told. */
  async meet(): Promise<void> {
    signal(9);
    await db.flush();
  },

  /** The membership, the gate, and how many tombstones there are. */
  look() {
    const { state } = db.membership(USER, COMMUNITY) ?? {};
    return {
      state,
      outcome: signal(2),
      tombstones: Object.keys(localStorage).filter((key) => key.startsWith("tidegate:left:")).length,
    };
  },

  /** How many rows the log has had, and the folded log, shortened to what can be compared. */
  async bytes(): Promise<string> {
    await db.flush();
    const hash = await crypto.subtle.digest("SHA-256", db.snapshot().slice());
    const text = Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("");
    return `${db.stats().logPosition} rows: ${text}`;
  },
};

declare global {
  /** What the test calls. */
  var tab: typeof calls;
}
globalThis.tab = calls;
