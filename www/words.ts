// How the page says what Tidegate answers.
import type { LayerStatus, Membership } from "tidegate";
import type { LastSignal } from "./settings.ts";

const DEEDS = new Map([
  ["like", "Liked"],
  ["save", "Saved"],
  ["skip", "Skipped"],
  ["hide", "Hid"],
]);

/** What the person did: "Liked Alien". */
export function deed({ kind, title }: LastSignal): string {
  return `${DEEDS.get(kind) ?? kind} ${title}`;
}

/** What an outcome means for the person. */
export function meaning({ outcome, community, epoch }: LastSignal): string {
  switch (outcome) {
    case "Recorded":
      return `Learned here, and counted in ${community} under epoch ${epoch}.`;
    case "NotMember":
      return `Learned here only: you are no member of ${community}.`;
    case "Left":
      return `Learned here only: you left ${community}, so nothing was shared.`;
    case "LayerLeft":
      return "Learned here only: community sharing is switched off.";
    case "PolicyExcluded":
      return `Learned here only: you do not share this with ${community}.`;
    default:
      return "Learned here only.";
  }
}

/** How the person stands to a community, and since when. */
export function standing(membership: Membership | null, { status }: LayerStatus): string {
  if (membership === null) return "You have not joined. Nothing you do here is shared.";
  if (membership.stopForwardAt !== null)
    return `You left: ${time(membership.stopForwardAt)}. What counted before stays.`;
  if (status === "Left") return "You are a member, but community sharing is off.";
  return `You are a member. Joined first: ${time(membership.joinedAt)}.`;
}

/** What the switch over all communities does. */
export function reach({ status, leftAt }: LayerStatus): string {
  if (status === "Active") return "One switch over every community. Off, nothing you do counts anywhere.";
  return `Off since ${time(leftAt ?? 0)}. Nothing you do counts anywhere.`;
}

function time(milliseconds: number): string {
  const when = new Date(milliseconds);
  const today = when.toDateString() === new Date().toDateString();
  return when.toLocaleString(undefined, today ? { timeStyle: "medium" } : { dateStyle: "medium", timeStyle: "short" });
}
