// What the page itself keeps between visits, in localStorage. All else is Tidegate's to keep.

const PREFIX = "tidegate-demo:";

/** Reads what was kept; null where there is nothing, or nothing that can be read. */
export function read(key: string): unknown {
  // Where storage is forbidden, touching it throws. Then the page forgets, and works.
  try {
    return JSON.parse(localStorage.getItem(PREFIX + key) ?? "null");
  } catch {
    return null;
  }
}

export function write(key: string, value: unknown): void {
  try {
    localStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // See above.
  }
}

/** Forgets what is kept under these keys. */
export function clear(...keys: string[]): void {
  try {
    for (const key of keys) localStorage.removeItem(PREFIX + key);
  } catch {
    // See above.
  }
}

/** Calls `listener` when another tab writes or forgets `key`. */
export function whenWritten(key: string, listener: () => void): void {
  addEventListener("storage", (event) => {
    if (event.key === PREFIX + key || event.key === null) listener();
  });
}

/** A name that nothing else has. */
export function newName(): string {
  return Math.random().toString(36).slice(2);
}

/** A name for this tab, which a reload does not change. */
export function tabName(): string {
  const made = newName();
  try {
    const name = sessionStorage.getItem(`${PREFIX}tab`) ?? made;
    sessionStorage.setItem(`${PREFIX}tab`, name);
    return name;
  } catch {
    return made;
  }
}
