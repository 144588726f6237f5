// The catalogue as the page fetches it: the better known films of vega-datasets, with what the page uses of each.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { at } from "./project.mjs";
import { fingerprint, once } from "./stamps.mjs";

const source = at("node_modules", "vega-datasets", "data", "movies.json");

/** @type {Record<keyof import("../../www/catalogue.ts").Row, true>} the compiler sees that none is missing or too many */
const used = {
  Title: true,
  "Release Date": true,
  "Major Genre": true,
  "Creative Type": true,
  Director: true,
  "IMDB Rating": true,
};
const columns = Object.keys(used);

/** Films that fewer people have rated are left out: many of them are rows without a genre, a director or a rating. */
const fewestVotes = 10_000;

/** Writes it unless it is there; where it is. */
export async function trimFilms() {
  const trimmed = at("node_modules", ".cache", "tidegate", "films.json");
  await once("films", fingerprint([source], [...columns, String(fewestVotes)]), [trimmed], async () => {
    /** @type {Record<string, unknown>[]} */
    const rows = JSON.parse(readFileSync(source, "utf8"));
    const known = rows.filter((row) => Number(row["IMDB Votes"]) >= fewestVotes);
    const kept = known.map((row) => Object.fromEntries(columns.map((column) => [column, row[column]])));
    mkdirSync(dirname(trimmed), { recursive: true });
    writeFileSync(trimmed, JSON.stringify(kept));
  });
  return trimmed;
}
