// The communities to choose from, and what their members care for.
import { bestRatedFirst, type Film } from "./catalogue.ts";

/** A community. */
export interface Community {
  id: string;
  name: string;
  /** The films that it is about, best rated first. */
  favourites(films: Iterable<Film>): Film[];
}

/** How many films a community is about. */
const FAVOURITES = 30;

// The data set has no such genre, so these are named one by one.
const NOIR = new Set([
  "Rebecca (1939)",
  "Spellbound (1944)",
  "The Lost Weekend (1944)",
  "Strangers on a Train (1951)",
  "The Conversation (1974)",
  "Taxi Driver (1976)",
  "Blade Runner (1982)",
  "Reservoir Dogs (1992)",
  "The Usual Suspects (1995)",
  "Se7en (1995)",
  "Fargo (1996)",
  "Bound (1996)",
  "Lone Star (1996)",
  "L.A. Confidential (1997)",
  "Jackie Brown (1997)",
  "Dark City (1998)",
  "Following (1999)",
  "Memento (2001)",
  "Mulholland Drive (2001)",
  "Sexy Beast (2001)",
  "Training Day (2001)",
  "Mystic River (2003)",
  "Collateral (2004)",
  "Sin City (2005)",
  "A History of Violence (2005)",
  "Layer Cake (2005)",
  "Brick (2006)",
  "The Departed (2006)",
  "No Country for Old Men (2007)",
  "Shutter Island (2010)",
]);

export const COMMUNITIES: readonly [Community, ...Community[]] = [
  community("film-noir", "Film noir", ({ id }) => NOIR.has(id)),
  community("science-fiction", "Science fiction", ({ story }) => story === "Science Fiction"),
  community("westerns", "Westerns", ({ genre }) => genre === "Western"),
  community("musicals", "Musicals", ({ genre }) => genre === "Musical"),
  community("horror", "Horror", ({ genre }) => genre === "Horror"),
  community("romance", "Romance", ({ genre }) => genre === "Romantic Comedy"),
];

/** The community of an id, or the first one. */
export function communityOf(id: unknown): Community {
  return COMMUNITIES.find((community) => community.id === id) ?? COMMUNITIES[0];
}

function community(id: string, name: string, belongs: (film: Film) => boolean): Community {
  const favourites = (films: Iterable<Film>): Film[] =>
    Array.from(films).filter(belongs).sort(bestRatedFirst).slice(0, FAVOURITES);
  return { id, name, favourites };
}
