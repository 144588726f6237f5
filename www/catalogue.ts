// The catalogue: the films of vega-datasets, fetched when the page runs and put into a usable shape.
import type { Item } from "tidegate";
import address from "../node_modules/vega-datasets/data/movies.json?url";

/** One film. */
export interface Film {
  /** Title and year: no two films share both. */
  id: string;
  title: string;
  year: number;
  /** Milliseconds since 1970. */
  released: number;
  genre: string | null;
  /** The kind of story: "Science Fiction", "Historical Fiction", … */
  story: string | null;
  director: string | null;
  /** IMDb's, 0 … 10. */
  rating: number | null;
}

/** What the page uses of a row of the data set. */
export interface Row {
  Title: string | number | null;
  "Release Date": string;
  "Major Genre": string | null;
  "Creative Type": string | null;
  Director: string | null;
  "IMDB Rating": number | null;
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
/** The data set ends here; later years were read from two digits and are a century off. */
const LAST_YEAR = 2011;
/** Latin-1 letters that were taken for Mac Roman on the way into the data set, and what they were before. */
const MISREAD = new Map([
  ["È", "é"],
  ["‡", "à"],
  ["·", "á"],
  ["‰", "ä"],
  ["Ë", "è"],
  ["Í", "ê"],
  ["Î", "ë"],
  ["Û", "ó"],
  ["Ù", "ô"],
  ["˘", "ù"],
  ["Ω", "½"],
  ["Ö", "…"],
]);

/** Fetches the films, keyed by id. */
export async function loadFilms(): Promise<Map<string, Film>> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`The catalogue could not be loaded: ${response.status} ${response.statusText}`);
  const rows: Row[] = await response.json();
  const films = rows.filter((row) => row.Title !== null).map(toFilm);
  return new Map(films.map((film) => [film.id, film]));
}

/** Orders films by their rating; those that are rated alike by their ids. */
export function bestRatedFirst(a: Film, b: Film): number {
  return (b.rating ?? 0) - (a.rating ?? 0) || (a.id < b.id ? -1 : 1);
}

/** A film as Tidegate knows it. */
export function toItem({ id, genre, director, released }: Film): Item {
  return {
    id,
    createdAt: released,
    ...(genre === null ? {} : { categories: [genre] }),
    ...(director === null ? {} : { creator: director }),
  };
}

function toFilm(row: Row): Film {
  const title = Array.from(String(row.Title), (letter) => MISREAD.get(letter) ?? letter).join("");
  const [month = "", day = "", written = ""] = row["Release Date"].split(" ");
  const year = Number(written) > LAST_YEAR ? Number(written) - 100 : Number(written);
  return {
    id: `${title} (${year})`,
    title,
    year,
    released: Date.UTC(year, MONTHS.indexOf(month), Number(day)),
    genre: row["Major Genre"],
    story: row["Creative Type"],
    director: row.Director,
    rating: row["IMDB Rating"],
  };
}
