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

const calls = { titles: [...cases.keys()], run };

declare global {
  /** What the test calls. */
  var suite: typeof calls;
}
globalThis.suite = calls;
