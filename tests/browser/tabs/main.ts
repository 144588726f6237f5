// A page with an open database that a test calls into, next to other tabs with the same one.
import { open } from "tidegate";

const [USER, COMMUNITY] = ["ann", "readers"];
const db = await open({ name: "tabs-test", storage: "indexeddb" });
/** What the tabs of the test tell each other; apart from the library's own channel. */
const channel = new BroadcastChannel("the test's own");

/** The same clock in all tabs. */
const clock = (): number => performance.timeOrigin + performance.now();

/** Waits until the other tab says that its gate is open, or closed; when that was. */
function other(state: "Joined" | "Left"): Promise<number> {
  return new Promise((resolve) => {
    const heard = ({ data }: MessageEvent<{ state: string; at: number }>): void => {
      if (data.state !== state) return;
      channel.removeEventListener("message", heard);
      resolve(data.at);
    };
    channel.addEventListener("message", heard);
  });
}

const calls = {
  /** Tells the others of each membership change from now on. */
  echo(): void {
    db.on("change", (change) => {
      if (change.type !== "membership") return;
      const outcome = db.signal({ user: USER, item: 1, kind: "view", community: COMMUNITY });
      channel.postMessage({ state: outcome === "Recorded" ? "Joined" : outcome, at: clock() });
    });
  },

  /** Joins and leaves; how long each leave took to be in force in the other tab, in milliseconds. */
  async rounds(count: number): Promise<number[]> {
    const took: number[] = [];
    for (let round = 0; round < count; round++) {
      const joined = other("Joined");
      db.join(USER, COMMUNITY);
      await joined;
      const left = other("Left");
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
    setTimeout(() => {
      db.leave(USER, COMMUNITY);
      for (;;);
      // The call itself is answered first.
    }, 500);
  },

  /** The membership, the gate, and how many tombstones there are. */
  look() {
    const outcome = db.signal({ user: USER, item: 2, kind: "view", community: COMMUNITY });
    return { state: db.membership(USER, COMMUNITY)?.state, outcome, tombstones: localStorage.length };
  },

  /** The folded log, shortened to what can be compared. */
  async bytes(): Promise<string> {
    await db.flush();
    const hash = await crypto.subtle.digest("SHA-256", db.snapshot().slice());
    return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("");
  },
};

declare global {
  /** What the test calls. */
  var tab: typeof calls;
}
globalThis.tab = calls;
