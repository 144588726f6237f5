// What a page tells the test of a browser that will be killed. What has been told is known outside the browser.

/** What is so, as numbers that only grow: how far the user came. */
export interface Progress {
  /** How many signals the profile has. */
  signals: number;
  /** Memberships, in the order in which they follow each other: join 0, leave 1, rejoin 2, leave 3, …; −1 before. */
  step: number;
}

export type Fact =
  | { type: "lost"; why: string } // the browser says that it has deleted what was stored
  | ({ type: "opened" } & Progress) // what a page finds; it is answered with what to do
  | ({ type: "making" } & Progress) // told before it is done, and the page waits for the answer
  | { type: "flushing" } // the flush may be over when this is heard
  | ({ type: "stored"; by: "flush" | "durable" } & Progress) // acknowledged: what was done when the call was made
  | { type: "compacting" }
  | { type: "compacted" }
  | { type: "left" } // said when the leave has returned
  | { type: "durable"; took: number[] } // milliseconds
  | { type: "failed"; error: string };

/** What a page does once it is open. */
export type Task =
  | { do: "stream"; seed: number } // signals, flushes, leaves and rejoins without end
  | { do: "leave" } // one leave
  | { do: "durable"; rounds: number } // times leaves
  | { do: "nothing" };

/** So many signals are made at once, and stored in one row. */
export const BATCH = 1500;
