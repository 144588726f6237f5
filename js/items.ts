// Items at the door (R20).
import { fields, iterable, text } from "./check.js";
import { invalidArgument } from "./errors.js";
import { ABSENT, type Ids } from "./ids.js";
import { time } from "./time.js";
import type { Item } from "./types.js";

/** An item as the core takes it. */
export interface CheckedItem {
  id: number;
  vector: Float32Array | undefined;
  categories: string[];
  creator: number;
  createdAt: number;
}

/** Checks all items before the first of them is used. */
export function checkItems(items: unknown, ids: Ids, dimensions: number): CheckedItem[] {
  return Array.from(iterable(items, "items"), (item, index) => checkItem(item, `items[${index}]`, ids, dimensions));
}

function checkItem(item: unknown, argument: string, ids: Ids, dimensions: number): CheckedItem {
  const { id, vector, categories, creator, createdAt } = fields<Item>(item, argument);
  return {
    id: ids.id(id, `${argument}.id`),
    vector: vector === undefined ? undefined : checkVector(vector, `${argument}.vector`, dimensions),
    categories: categories === undefined ? [] : checkCategories(categories, `${argument}.categories`),
    creator: ids.optional(creator, `${argument}.creator`),
    createdAt: createdAt === undefined ? ABSENT : time(createdAt, `${argument}.createdAt`),
  };
}

function checkVector(vector: unknown, argument: string, dimensions: number): Float32Array {
  if (dimensions === 0) throw invalidArgument(argument, "a database opened with `dimensions`");
  const list = fields<ArrayLike<unknown>>(vector, argument);
  if (list.length !== dimensions) throw invalidArgument(argument, `a vector of length ${dimensions}`);
  const copy = new Float32Array(dimensions);
  for (let index = 0; index < dimensions; index++) {
    const component = list[index];
    if (typeof component !== "number") throw invalidArgument(`${argument}[${index}]`, "a number");
    copy[index] = component;
    // Looked at after rounding: 1e39 is finite, but not as a 32-bit float.
    if (!Number.isFinite(copy[index])) throw invalidArgument(`${argument}[${index}]`, "a finite 32-bit float");
  }
  return copy;
}

function checkCategories(categories: unknown, argument: string): string[] {
  return Array.from(iterable(categories, argument), (category, index) => text(category, `${argument}[${index}]`));
}
