// Neighbours: stand-ins for a community's other members, so that there is somebody to be recommended by. They are always the
// same ones with the same taste. What they did arrives once, as events of another device, as in life.
import { open, type Tidegate } from "tidegate";
import { breathe } from "./breathe.ts";
import { bestRatedFirst, type Film } from "./catalogue.ts";
import { COHORTS } from "./cohorts.ts";
import { COMMUNITIES } from "./communities.ts";

const NEIGHBOURS = ["Ada", "Boris", "Chidi", "Dana", "Emre", "Fumiko"];
const WEEK = 7 * 24 * 3_600_000;
/** How many films the viewers of a cohort have liked. */
const LIKED = 40;

/** A neighbour's id as a user. Each is a member of every community. */
export function neighbour(name = "Ada"): string {
  return `neighbour ${name}`;
}

/** Makes the neighbours members, and the viewers of the cohorts, where they are not yet. Under a lock: tabs do it once. */
export async function seedNeighbours(db: Tidegate, films: Iterable<Film>): Promise<void> {
  const seed = async (): Promise<void> => {
    await db.flush();
    if (db.membership(neighbour(), COMMUNITIES[0].id) !== null) return;
    const catalogue = Array.from(films);
    db.importEvents(await ofNeighbours(catalogue));
    seedCohorts(db, catalogue);
    await db.flush();
  };
  // There are no locks where a page is not secure.
  await (navigator.locks === undefined ? seed() : navigator.locks.request("tidegate-demo:seed", seed));
}

/** What the neighbours' device sends. */
async function ofNeighbours(catalogue: readonly Film[]): Promise<Uint8Array> {
  const theirs = await open({ name: "neighbours", storage: "memory", outbox: true });
  const now = Date.now();
  for (const community of COMMUNITIES) {
    const favourites = community.favourites(catalogue);
    for (const name of NEIGHBOURS) {
      const user = neighbour(name);
      theirs.join(user, community.id);
      favourites.forEach(({ id }, place) => {
        const luck = draw(`${name}, ${community.id}, ${id}`);
        // The better a film is rated, the more neighbours have seen it.
        if (luck > 0.9 - (0.7 * place) / favourites.length) return;
        const kind = luck < 0.15 ? "share" : luck < 0.4 ? "save" : "like";
        theirs.signal({ user, item: id, kind, community: community.id, at: now - luck * WEEK });
      });
    }
    await breathe();
  }
  const { bytes } = theirs.exportEvents();
  await theirs.close();
  return bytes;
}

/** Viewers of each cohort who like what it likes. They are in no community. */
function seedCohorts(db: Tidegate, catalogue: readonly Film[]): void {
  const rated = [...catalogue].sort(bestRatedFirst);
  for (const { id: cohort, likes } of COHORTS) {
    const liked = rated.filter(likes).slice(0, LIKED);
    for (const name of NEIGHBOURS) {
      const user = `viewer ${name}, ${cohort}`;
      db.setCohorts(user, [cohort]);
      for (const { id } of liked) if (draw(`${user}, ${id}`) < 0.6) db.signal({ user, item: id, kind: "like" });
    }
  }
}

/** A number in 0 … 1 that is always the same for the same text: FNV-1a, its bits mixed once more. */
export function draw(text: string): number {
  let hash = 0x811c9dc5;
  for (const letter of text) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32;
}
