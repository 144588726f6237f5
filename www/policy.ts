// What a member shares, as a share policy. Tidegate tells a policy's version and not its kinds, so each choice of kinds has a
// version of its own, and the version tells the choice: after a reload and in other tabs, too.
import type { SharePolicy } from "tidegate";
import type { Kind } from "./diary.ts";

/** What can be shared. Hiding a film is nobody's business. */
export const SHAREABLE: readonly { kind: Kind; name: string }[] = [
  { kind: "like", name: "Likes" },
  { kind: "save", name: "Saves" },
  { kind: "skip", name: "Skips" },
];

/** Of who has not joined yet. */
export const SHARED_AT_FIRST: readonly Kind[] = ["like", "save", "skip"];

export function policyOf(kinds: readonly Kind[]): SharePolicy {
  const version = SHAREABLE.reduce((sum, { kind }, bit) => sum + (kinds.includes(kind) ? 2 ** bit : 0), 0);
  return { version, share: [...kinds] };
}

export function sharedKinds(version: number): Kind[] {
  return SHAREABLE.filter((_, bit) => version & (2 ** bit)).map(({ kind }) => kind);
}
