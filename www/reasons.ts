// Why a film is in the feed, in words. The parts of its score tell how much each side has to say; which liked film speaks for
// it, the page finds by what they share.
import type { RankedItem } from "tidegate";
import type { Film } from "./catalogue.ts";

/** What is known when reasons are asked for. */
export interface Grounds {
  /** Liked and saved films, the strongest first. */
  liked: readonly Film[];
  /** Those of them that were saved and not liked. */
  saved: readonly Film[];
  community: string;
  cohort: string | null;
  /** Whether nothing at all is known yet. */
  isNew: boolean;
}

/** Below it a part says nothing: newer films rank a little higher by themselves. */
const NOTABLE = 0.03;

export function reason(film: Film, { local, community, cohort }: RankedItem, grounds: Grounds): string {
  if (grounds.isNew) return "Newest first, until it knows you";
  const byDirector = grounds.liked.find(({ director }) => director !== null && director === film.director);
  if (byDirector !== undefined) return `${because(byDirector, grounds)}, also by ${film.director}`;
  const most = Math.max(local, community, cohort);
  if (most < NOTABLE) return "New to you";
  if (most === community) return `${grounds.community} members like it`;
  if (most === cohort && grounds.cohort !== null) return `${grounds.cohort} like it`;
  const byGenre = grounds.liked.find(({ genre }) => genre !== null && genre === film.genre);
  return byGenre === undefined ? "New to you" : because(byGenre, grounds);
}

function because(film: Film, { saved }: Grounds): string {
  return `Because you ${saved.includes(film) ? "saved" : "liked"} ${film.title}`;
}
