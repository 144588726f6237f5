// What can go wrong with a write, done to the browser's own IndexedDB: the transaction is a real one and is really undone, or
// really complete. What a page cannot bring about, the reason that the browser gives, is put in its place.

/** See `Place.fail` of the acceptance suite. */
export type Fault = "full" | "aborted" | "lost";

/** Makes the transaction of the next `add` go wrong. */
export function failNextAdd(fault: Fault): void {
  const store = IDBObjectStore.prototype;
  const { add } = store;
  store.add = function (this: IDBObjectStore, ...row: Parameters<typeof add>): IDBRequest<IDBValidKey> {
    store.add = add;
    const request = add.apply(this, row);
    if (fault === "lost") loseAnswer(this.transaction);
    else {
      // When the row is written, as a full disk does.
      request.addEventListener("success", () => this.transaction.abort());
      const reason = fault === "full" ? "QuotaExceededError" : "UnknownError";
      blame(this.transaction, reason);
    }
    return request;
  };
}

/** The transaction completes, and its tab is told that it did not: the connection was lost in between. */
function loseAnswer(transaction: IDBTransaction): void {
  blame(transaction, "UnknownError");
  transaction.oncomplete = (event) => transaction.onabort?.call(transaction, event);
}

function blame(transaction: IDBTransaction, name: string): void {
  Object.defineProperty(transaction, "error", { value: new DOMException("made by the test", name) });
}
