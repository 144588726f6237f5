// What the page itself remembers between visits. All else is Tidegate's to keep.

/** A signal that the person gave, and what became of it. */
export interface LastSignal {
  kind: string;
  title: string;
  community: string;
  outcome: string;
  /** The membership epoch at that time. */
  epoch: number | null;
}

const COMMUNITY = "tidegate-demo:community";
const LAST = "tidegate-demo:last-signal";

/** The id of the community on view. */
export function readCommunity(): string | null {
  return read(COMMUNITY);
}

export function writeCommunity(id: string): void {
  write(COMMUNITY, id);
}

export function readLast(): LastSignal | null {
  try {
    const found: unknown = JSON.parse(read(LAST) ?? "null");
    return isLastSignal(found) ? found : null;
  } catch {
    return null;
  }
}

export function writeLast(last: LastSignal): void {
  write(LAST, JSON.stringify(last));
}

function isLastSignal(value: unknown): value is LastSignal {
  if (typeof value !== "object" || value === null) return false;
  const { kind, title, community, outcome, epoch } = value as Record<keyof LastSignal, unknown>;
  const texts = [kind, title, community, outcome].every((text) => typeof text === "string");
  return texts && (epoch === null || typeof epoch === "number");
}

// Where storage is forbidden, touching it throws. Then the page forgets, and works.
function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // See above.
  }
}
