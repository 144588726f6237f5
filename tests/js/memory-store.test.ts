// The tests' own store is one too: what the write loop is tested on behaves as the real ones do.
import { acceptStore } from "./storage-acceptance.js";
import { MemoryStore } from "./support/memory-store.js";

acceptStore("the tests' store", () => {
  const store = new MemoryStore();
  return { open: () => store };
});
