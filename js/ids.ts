// Ids at the door (R16). An id crosses into the core as a number: a safe integer is the id itself; for anything larger and
// for names the core hands out a handle once, which is kept here and crosses as −1 − handle.
import { isStorableText, iterable } from "./check.js";
import { TidegateError } from "./errors.js";

/** What the core knows of ids. */
export interface IdTable {
  /** The 64-bit id of a name, which is remembered. Throws `InvalidId` where another name has the same hash. */
  nameId(name: string): bigint;
  /** As `nameId`, for a user: 0 becomes 1. */
  userNameId(name: string): bigint;
  /** A place in the core's table of ids that are no safe integers. */
  handle(id: bigint): number;
}

/** No id was given. */
export const ABSENT = Number.NaN;

/** What no caller can pass. */
const NEVER = Symbol();
const MAX_ID = 2n ** 64n - 1n;
const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);
/** More digits than this may be above the safe integers. */
const SAFE_DIGITS = 15;

/** The ids of one database. */
export class Ids {
  readonly #table: IdTable;
  readonly #numbers = new Map<unknown, number>();
  // A name of a user may stand for another id than the same name elsewhere: 0 is reserved.
  readonly #userNumbers = new Map<unknown, number>();
  // The user and the optional id last asked for: signals come in runs. Numbers never come here.
  #recentUser: unknown = NEVER;
  #recentUserNumber = 0;
  #recent: unknown = NEVER;
  #recentNumber = 0;

  constructor(table: IdTable) {
    this.#table = table;
  }

  /** The number of an item, a community, a cohort, a creator or an agent. */
  id(value: unknown, argument: string, index?: number): number {
    if (typeof value === "number") return safeInteger(value, argument, index);
    return this.#numbers.get(value) ?? this.#learn(value, false, argument, index);
  }

  /** As `id`, where `undefined` is absent. */
  optional(value: unknown, argument: string): number {
    if (value === undefined) return ABSENT;
    if (typeof value === "number") return safeInteger(value, argument);
    if (value !== this.#recent) {
      this.#recentNumber = this.id(value, argument);
      this.#recent = value;
    }
    return this.#recentNumber;
  }

  /** The number of a user. */
  user(value: unknown): number {
    if (typeof value === "number") return somebody(safeInteger(value, "user"));
    if (value !== this.#recentUser) {
      this.#recentUserNumber = somebody(this.#userNumbers.get(value) ?? this.#learn(value, true, "user"));
      this.#recentUser = value;
    }
    return this.#recentUserNumber;
  }

  /** The numbers of all ids of an iterable. */
  list(values: unknown, argument: string): Float64Array {
    const numbers: number[] = [];
    for (const value of iterable(values, argument)) numbers.push(this.id(value, argument, numbers.length));
    return Float64Array.from(numbers);
  }

  /** The 64-bit id behind any id. */
  idOf(value: unknown): bigint {
    if (typeof value === "number") return BigInt(safeInteger(value, "id"));
    const parsed = parse(value);
    if (parsed === undefined) throw invalidId("id");
    return typeof parsed === "string" ? this.#nameId(parsed, false, "id") : BigInt(parsed);
  }

  #learn(value: unknown, isUser: boolean, argument: string, index?: number): number {
    const parsed = parse(value);
    if (parsed === undefined) throw invalidId(argument, index);
    if (typeof parsed === "number") return parsed;
    const id = typeof parsed === "string" ? this.#nameId(parsed, isUser, argument, index) : parsed;
    const number = -1 - this.#table.handle(id);
    (isUser ? this.#userNumbers : this.#numbers).set(value, number);
    return number;
  }

  #nameId(name: string, isUser: boolean, argument: string, index?: number): bigint {
    try {
      return isUser ? this.#table.userNameId(name) : this.#table.nameId(name);
    } catch (error) {
      if (error instanceof TidegateError && error.code === "InvalidId") {
        throw invalidId(argument, index, "another name has the same 64-bit hash");
      }
      throw error;
    }
  }
}

/** A safe integer as a number, a larger one as a bigint, a name as a string; undefined where it is no id. */
export function parse(value: unknown): number | bigint | string | undefined {
  if (typeof value === "bigint") return value >= 0n ? narrow(value) : undefined;
  if (!isStorableText(value)) return undefined;
  if (!/^(?:0|[1-9]\d{0,19})$/.test(value)) return value;
  // Out of range, a decimal is a name like any other.
  return value.length <= SAFE_DIGITS ? Number(value) : (narrow(BigInt(value)) ?? value);
}

function narrow(id: bigint): number | bigint | undefined {
  if (id <= MAX_SAFE) return Number(id);
  return id <= MAX_ID ? id : undefined;
}

/** How a 64-bit id crosses into the core. */
export function idNumber(id: bigint, table: Pick<IdTable, "handle">): number {
  const narrowed = narrow(id);
  return typeof narrowed === "number" ? narrowed : -1 - table.handle(id);
}

function somebody(id: number): number {
  if (id === 0) throw new TidegateError("InvalidId", { argument: "user", message: "user 0 is reserved" });
  return id;
}

function safeInteger(value: number, argument: string, index?: number): number {
  if (!Number.isSafeInteger(value) || value < 0) throw invalidId(argument, index);
  // −0 is 0.
  return value + 0;
}

function invalidId(argument: string, index?: number, message?: string): TidegateError {
  return new TidegateError("InvalidId", {
    argument: index === undefined ? argument : `${argument}[${index}]`,
    message,
  });
}
