// The tests' own store is one too: what the write loop is tested on behaves as the real ones do.
import { TidegateError } from "../../js/errors.js";
import { acceptStore } from "./storage-acceptance.js";
import { MemoryStore } from "./support/memory-store.js";

acceptStore("the tests' store", () => {
  const store = new MemoryStore();
  const fail = (code: "QuotaExceeded" | "Storage", after: boolean) => () => {
    store.failures = [{ error: new TidegateError(code), after }];
  };
  return {
    open: () => store,
    fail: { full: fail("QuotaExceeded", false), aborted: fail("Storage", false), lost: fail("Storage", true) },
  };
});
