// What the time line shows, out of the diary and the membership rows: a lane for each community.
import type { Membership } from "tidegate";
import { counted, type Entry, type Kind } from "./diary.ts";

/** The time of one membership epoch. */
export interface Band {
  epoch: number;
  from: number;
  /** When the gate was closed; null while it is open. */
  until: number | null;
}

/** Something that the person said. */
export interface Dot {
  at: number;
  kind: Kind;
  fate: "counted" | "kept" | "refused";
}

/** A community's lane. */
export interface Lane {
  bands: Band[];
  dots: Dot[];
}

/** The lane of a community, whose row it is. */
export function lane(entries: readonly Entry[], community: string, row: Membership | null): Lane {
  const bands: Band[] = [];
  const dots: Dot[] = [];
  for (const entry of entries) {
    if (!("community" in entry) || entry.community !== community) continue;
    const { at } = entry;
    if (entry.what === "join" || entry.what === "rejoin") bands.push({ epoch: entry.epoch, from: at, until: null });
    else if (entry.what === "leave") close(bands, entry.epoch, at);
    else if (entry.what === "signal") {
      dots.push({ at, kind: entry.kind, fate: counted(entry) ? "counted" : "kept" });
    } else if (entry.what === "replay") dots.push({ at, kind: entry.kind, fate: "refused" });
  }
  if (row === null) return { bands, dots };
  // The row is the truth; the diary may have been lost, and an epoch's beginning with it.
  if (bands.at(-1)?.epoch !== row.epoch) {
    const from = row.epoch === 0 ? row.joinedAt : (entries[0]?.at ?? row.joinedAt);
    bands.push({ epoch: row.epoch, from, until: null });
  }
  if (row.stopForwardAt !== null) close(bands, row.epoch, row.stopForwardAt);
  return { bands, dots };
}

/** When the switch over all communities was off. */
export function layerOff(entries: readonly Entry[]): { from: number; until: number | null }[] {
  const spans: { from: number; until: number | null }[] = [];
  for (const { what, at } of entries) {
    const last = spans.at(-1);
    if (what === "layerOff" && (last === undefined || last.until !== null)) spans.push({ from: at, until: null });
    if (what === "layerOn" && last !== undefined) last.until ??= at;
  }
  return spans;
}

function close(bands: Band[], epoch: number, at: number): void {
  const band = bands.find((one) => one.epoch === epoch);
  if (band !== undefined) band.until ??= at;
}
