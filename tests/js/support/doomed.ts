// A page that can be killed: what it has not stored by then it never will, whatever its timers try.
import { vi } from "vitest";
import type { Tidegate } from "../../../js/index.js";

/** Opens a database in such a page. */
export async function doomed(open: () => Promise<Tidegate>): Promise<{ database: Tidegate; kill: () => void }> {
  const shared = globalThis.indexedDB;
  let dead = false;
  const check = (): void => {
    if (dead) throw new DOMException("killed", "UnknownError");
  };
  const openHere = (name: string, version?: number): IDBOpenDBRequest => {
    check();
    const request = shared.open(name, version);
    request.addEventListener("success", () => {
      const connection = request.result;
      const transaction = connection.transaction.bind(connection);
      connection.transaction = (...args) => {
        check();
        return transaction(...args);
      };
    });
    return request;
  };
  vi.stubGlobal("indexedDB", { open: openHere });
  const database = await open();
  vi.stubGlobal("indexedDB", shared);
  return {
    database,
    kill: () => {
      dead = true;
    },
  };
}
