// A page that runs the cases of the store's acceptance suite on the browser's own IndexedDB.
import { IndexedDbStore } from "../../../js/indexeddb-store.ts";
import { acceptStore } from "../../js/storage-acceptance.ts";
import { type Fault, failNextAdd } from "./faults.ts";
import { cases } from "./vitest.ts";

let places = 0;
acceptStore("IndexedDB", () => {
  const name = `place ${places++}`;
  const fail = (fault: Fault) => () => failNextAdd(fault);
  return {
    open: () => new IndexedDbStore(indexedDB, name),
    fail: { full: fail("full"), aborted: fail("aborted"), lost: fail("lost") },
  };
});

/** What became of a case. */
export interface Result {
  title: string;
  problem: string | null;
}

/** Runs one case; gives back what it threw, as text, or null. */
async function run(title: string): Promise<string | null> {
  const body = cases.get(title);
  if (body === undefined) return "there is no such case";
  try {
    await body();
    return null;
  } catch (error) {
    return error instanceof Error ? `${error.message}\n${error.stack}` : String(error);
  }
}

/** Where to tell the results, if nobody calls. */
const server = new URLSearchParams(location.search).get("facts");

/** Runs all cases and tells what became of each. */
async function tellAll(address: string): Promise<void> {
  for (const title of cases.keys()) {
    await fetch(address, {
      method: "POST",
      body: JSON.stringify({ title, problem: await run(title) } satisfies Result),
    });
  }
}

const calls = { titles: [...cases.keys()], run };

declare global {
  /** What the test calls. */
  var suite: typeof calls;
}
globalThis.suite = calls;
if (server !== null) await tellAll(server);
