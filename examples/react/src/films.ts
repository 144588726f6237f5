import type { Tidegate } from "tidegate";

export const community = "film-club";

interface Film {
  id: string;
  title: string;
  categories: string[];
}

const films: Film[] = [
  { id: "alien", title: "Alien", categories: ["science fiction", "horror"] },
  { id: "blade-runner", title: "Blade Runner", categories: ["science fiction", "noir"] },
  { id: "brick", title: "Brick", categories: ["crime", "noir"] },
  { id: "chinatown", title: "Chinatown", categories: ["crime", "noir"] },
  { id: "heat", title: "Heat", categories: ["crime"] },
  { id: "paddington", title: "Paddington", categories: ["comedy", "family"] },
  { id: "the-thing", title: "The Thing", categories: ["science fiction", "horror"] },
  { id: "totoro", title: "My Neighbour Totoro", categories: ["animation", "family"] },
];

/** What is shown of a film is the app's; the database has what ranks it. */
export const film = (id: string): Film => films.find((film) => film.id === id) ?? { id, title: id, categories: [] };

/** Fills the database that was opened. The same items again are no change. */
export function prepare(tide: Tidegate): void {
  tide.upsertItems(films.map(({ id, categories }) => ({ id, categories })));
}
