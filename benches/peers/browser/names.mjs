// What stores events in IndexedDB: apart from how, so that whoever only names them loads none of it.
export const KEEPER_NAMES = /** @type {const} */ ([
  "tidegate relaxed",
  "tidegate strict",
  "dexie relaxed",
  "dexie strict",
  "idb-keyval, a key each",
  "idb-keyval, one value",
]);
