// Neighbours: stand-ins for a community's other members, so that there is somebody to be recommended by. They are users of
// the same database, always the same ones with the same taste, and act once, when the database is new to them.
import type { Tidegate } from "tidegate";
import type { Film } from "./catalogue.ts";
import { COMMUNITIES } from "./communities.ts";

const NEIGHBOURS = ["Ada", "Boris", "Chidi", "Dana", "Emre", "Fumiko"];
const WEEK = 7 * 24 * 3_600_000;

/** Makes the neighbours members and lets them contribute. In one turn, so that it is stored as a whole or not at all. */
export function seedNeighbours(db: Tidegate, films: Iterable<Film>): void {
  const now = Date.now();
  const catalogue = Array.from(films);
  for (const community of COMMUNITIES) {
    const favourites = community.favourites(catalogue);
    for (const neighbour of NEIGHBOURS) {
      const user = `neighbour ${neighbour}`;
      if (db.membership(user, community.id) !== null) continue;
      db.join(user, community.id);
      favourites.forEach(({ id }, place) => {
        const luck = draw(`${neighbour}, ${community.id}, ${id}`);
        // The better a film is rated, the more neighbours have seen it.
        if (luck > 0.9 - (0.7 * place) / favourites.length) return;
        const kind = luck < 0.15 ? "share" : luck < 0.4 ? "save" : "like";
        db.signal({ user, item: id, kind, community: community.id, at: now - luck * WEEK });
      });
    }
  }
}

/** A number in 0 … 1 that is always the same for the same text: FNV-1a, its bits mixed once more. */
function draw(text: string): number {
  let hash = 0x811c9dc5;
  for (const letter of text) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32;
}
