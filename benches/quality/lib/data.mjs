// MovieLens-100K (Harper and Konstan 2015): 100 000 ratings that 943 people gave to 1 682 films in 1997 and 1998.
// Here users, items, genres and occupations are numbered from 0; times are milliseconds.

/**
 * @typedef {object} Rating
 * @property {number} user
 * @property {number} item
 * @property {number} rating 1 … 5
 * @property {number} at
 */

/**
 * @typedef {object} Person what is known of a user when somebody is to guess what they like next
 * @property {number} user
 * @property {Rating[]} train in the order of time
 * @property {Set<number>} seen the items of `train`
 * @property {Set<number>} liked which of the items that were rated after it are liked
 */

/**
 * @typedef {object} Data
 * @property {number} users
 * @property {number} items
 * @property {number[]} itemIds the ids of the data, by number
 * @property {number[][]} genres by item
 * @property {string[]} genreNames
 * @property {number[]} occupations by user
 * @property {string[]} occupationNames
 * @property {Rating[][]} ratings by user, in the order of time
 */

/** A rating from here on says that somebody likes it. */
export const LIKED = 4;
/** What somebody tells Tidegate with a rating, and how much that weighs: whoever rates a film has seen it. */
export const SIGNALS = [
  { kind: "", weight: 0 },
  { kind: "skip", weight: -1 },
  { kind: "view", weight: 1 },
  { kind: "click", weight: 2 },
  { kind: "like", weight: 4 },
  { kind: "like", weight: 6 },
];
/** Which part of a user's ratings is known. */
const KNOWN = 0.8;

/**
 * Reads the three tables. Ratings of one user and one second are ordered by the film's id.
 * @param {{ ratings: string, items: string, users: string }} tables tab-separated, with a heading
 * @returns {Data}
 */
export function parse(tables) {
  const films = rows(tables.items);
  const people = rows(tables.users);
  const genreNames = new Numbers();
  const occupationNames = new Numbers();
  const itemNumbers = new Map(films.map(([id], number) => [id, number]));
  const userNumbers = new Map(people.map(([id], number) => [id, number]));
  /** @type {Rating[][]} */
  const ratings = people.map(() => []);
  for (const [user, item, rating, seconds] of rows(tables.ratings)) {
    const number = userNumbers.get(user) ?? -1;
    const film = itemNumbers.get(item) ?? -1;
    ratings[number]?.push({ user: number, item: film, rating: Number(rating), at: Number(seconds) * 1_000 });
  }
  const itemIds = films.map(([id]) => Number(id));
  for (const own of ratings) own.sort((a, b) => a.at - b.at || itemIds[a.item] - itemIds[b.item]);
  return {
    users: people.length,
    items: films.length,
    itemIds,
    genres: films.map(([, , , names = ""]) =>
      names
        .split(" ")
        .filter(Boolean)
        .map((name) => genreNames.of(name)),
    ),
    genreNames: genreNames.names,
    occupations: people.map(([, , , name = ""]) => occupationNames.of(name)),
    occupationNames: occupationNames.names,
    ratings,
  };
}

/**
 * The first 80 % of each user's ratings, and which of the others are liked. Who likes none of them cannot be asked, but what
 * they rated before is known all the same.
 * @param {Rating[][]} ratings by user, in the order of time
 * @returns {{ people: Person[], asked: Person[] }}
 */
export function split(ratings) {
  const people = ratings.map((own, user) => {
    const known = Math.floor(own.length * KNOWN);
    const train = own.slice(0, known);
    const liked = own.slice(known).filter(({ rating }) => rating >= LIKED);
    return { user, train, seen: new Set(train.map(({ item }) => item)), liked: new Set(liked.map(({ item }) => item)) };
  });
  return { people, asked: people.filter(({ liked }) => liked.size > 0) };
}

/** @param {string} table */
const rows = (table) =>
  table
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => line.split("\t"));

/** Numbers names in the order in which they come up. */
class Numbers {
  /** @type {string[]} */
  names = [];

  /** @param {string} name */
  of(name) {
    const known = this.names.indexOf(name);
    return known === -1 ? this.names.push(name) - 1 : known;
  }
}
