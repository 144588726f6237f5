// How the page says what Tidegate answers.
import type { LayerStatus, Membership } from "tidegate";
import { milliseconds, moment } from "./clock.ts";
import { communityOf } from "./communities.ts";
import type { Device, Storing } from "./device.ts";
import { counted, type Entry, type Kind, type SignalEntry } from "./diary.ts";

const DEEDS: Record<Kind, string> = { like: "Liked", save: "Saved", skip: "Skipped", hide: "Hid" };
/** What each outcome is called on the page. */
const OUTCOMES: Record<string, string> = {
  Recorded: "Counted",
  NotMember: "Only on this device",
  Left: "Only on this device: left",
  LayerLeft: "Only on this device: layer off",
  PolicyExcluded: "Only on this device: not shared",
  StaleEpoch: "Refused: earlier epoch",
  Gated: "Refused: gate closed",
};
/** How a gate stands, in words. Where nobody has joined yet, nothing is closed to them. */
export const GATES = { open: "Open", closed: "Closed", never: "Nothing shared" } as const;

/** How the gate to the community on view stands. */
export function gateOf(device: Device): keyof typeof GATES {
  if (device.membership() === null) return "never";
  return device.gateOpen ? "open" : "closed";
}

/** An entry of the diary as the log shows it. */
export interface Line {
  text: string;
  outcome: string;
  /** How it is coloured. */
  tone: "counted" | "kept" | "closed" | "plain";
}

export function line(entry: Entry): Line {
  const community = "community" in entry ? communityOf(entry.community).name : "";
  switch (entry.what) {
    case "signal": {
      const outcome = OUTCOMES[entry.outcome] ?? entry.outcome;
      return { text: `${DEEDS[entry.kind]} ${entry.film}`, outcome, tone: counted(entry) ? "counted" : "kept" };
    }
    case "replay": {
      const text = `Replayed ${entry.film}, epoch ${entry.epoch}`;
      return { text, outcome: OUTCOMES[entry.outcome] ?? entry.outcome, tone: "plain" };
    }
    case "join":
    case "rejoin":
      return {
        text: `${entry.what === "join" ? "Joined" : "Rejoined"} ${community}`,
        outcome: `Epoch ${entry.epoch}`,
        tone: "counted",
      };
    case "leave":
      return {
        text: `Left ${community}: gate closed in ${milliseconds(entry.took)}`,
        outcome: "Gate closed",
        tone: "closed",
      };
    case "policy":
      return { text: `Changed what is shared with ${community}`, outcome: `Epoch ${entry.epoch}`, tone: "plain" };
    case "heard":
      return {
        text: `Heard that another tab left ${community}: gate closed`,
        outcome: milliseconds(entry.took),
        tone: "closed",
      };
    case "layerOff":
      return { text: "Switched the community layer off", outcome: "All gates closed", tone: "closed" };
    case "layerOn":
      return { text: "Switched the community layer on", outcome: "Gates as before", tone: "counted" };
  }
}

/** What the newest entry led to, in a sentence or two. */
export function consequence(entry: Entry | undefined, tab: string): string {
  const community = entry !== undefined && "community" in entry ? communityOf(entry.community).name : "";
  switch (entry?.what) {
    case undefined:
      return "Your likes teach this device. While you are a member they also count in the community.";
    case "signal":
      return ofSignal(entry, community);
    case "join":
    case "rejoin":
      return `You are a member of ${community} under epoch ${entry.epoch}. From now on your likes count there, too.`;
    case "leave":
      return `The gate was closed in ${milliseconds(entry.took)}, before the click returned. This device goes on learning.`;
    case "policy":
      return `What you share with ${community} has changed. It holds from now on.`;
    case "heard":
      return entry.tab === tab
        ? `Another tab left ${community}. The gate of this one was closed ${milliseconds(entry.took)} later.`
        : `You left ${community}. The gate of your other tab was closed ${milliseconds(entry.took)} later.`;
    case "layerOff":
      return "Every gate is closed. This device goes on learning.";
    case "layerOn":
      return "Every gate is again as it was.";
    case "replay":
      return `Offered to ${community} again, and refused: what counted under epoch ${entry.epoch} does not count twice.`;
  }
}

function ofSignal({ outcome, epoch, film }: SignalEntry, community: string): string {
  switch (outcome) {
    case "Recorded":
      return `${film}: counted in ${community} under epoch ${epoch}.`;
    case "NotMember":
      return `${film}: only on this device. You are no member of ${community}.`;
    case "Left":
      return `${film}: only on this device. You left ${community}; nothing was shared.`;
    case "LayerLeft":
      return `${film}: only on this device. The community layer is off.`;
    case "PolicyExcluded":
      return `${film}: only on this device. You do not share this with ${community}.`;
    default:
      return `${film}: only on this device.`;
  }
}

/** The state of a membership in a word, as Tidegate calls it. */
export function stateOf(row: Membership | null): string {
  return row === null ? "Not a member" : row.state;
}

/** How the person stands to a community, and since when. */
export function since(row: Membership | null, { status, leftAt }: LayerStatus): string {
  if (row === null) return "–";
  if (row.stopForwardAt !== null) return moment(row.stopForwardAt);
  if (status === "Left") return moment(leftAt ?? 0);
  return moment(row.joinedAt);
}

/** Whether all is stored. */
export function keeping(storing: Storing, persistent: boolean): string {
  if (!persistent) return "This browser keeps nothing after the page is closed.";
  return { saving: "Saving …", saved: "All is saved on this device.", failed: "Could not be saved; will try again." }[
    storing
  ];
}

/** A number with so many decimals and a real minus. No "−0.00": rounded first, and a zero has no sign. */
export function decimal(number: number, digits: number): string {
  const scale = 10 ** digits;
  return (Math.round(number * scale) / scale || 0).toFixed(digits).replace("-", "−");
}

/** "12 KB". */
export function size(bytes: number): string {
  return bytes < 1000 ? `${bytes} B` : `${(bytes / 1000).toLocaleString(undefined, { maximumFractionDigits: 1 })} KB`;
}
