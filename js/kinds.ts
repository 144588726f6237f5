// Kinds of signal: those that `open` is given, checked and completed, and their numbers (R19).
import { fields, flag, iterable, oneOf, text, weight, whole } from "./check.js";
import type { CoreKind, CorePolicy } from "./core.js";
import { invalidArgument, TidegateError } from "./errors.js";
import { duration } from "./time.js";
import type { SharePolicy, SignalKind } from "./types.js";

/** A kind as it was given: what was left out is undefined. */
export type GivenKind = { [K in keyof CoreKind]: CoreKind[K] | undefined } & { name: string };

const MAX_KINDS = 256;
const MAX_POLICY_VERSION = 0xffff;
/** So much of an unknown name is shown in the error, in UTF-16 units. */
const SHOWN = 40;
const DEFAULT_WEIGHT = 1;
const DEFAULT_HALF_LIFE = 7 * 86_400_000;
/** The core counts whole nanoseconds. */
const SHORTEST_HALF_LIFE = 1e-6;

/** Checks `OpenOptions.signals`. */
export function givenKinds(signals: unknown): GivenKind[] {
  if (signals === undefined) return [];
  if (typeof signals === "object" && signals !== null && Symbol.iterator in signals) {
    throw invalidArgument("signals", "an object with kinds by name");
  }
  return Object.entries(fields<Record<string, unknown>>(signals, "signals")).map(([key, value]) => {
    const name = text(key, "signals");
    const argument = `signals.${name}`;
    const { weight: given, halfLife, seen, hide } = fields<SignalKind>(value, argument);
    return {
      name,
      weight: weight(given, undefined, `${argument}.weight`),
      halfLifeMs: halfLife === undefined ? undefined : duration(halfLife, SHORTEST_HALF_LIFE, `${argument}.halfLife`),
      seen: flag(seen, undefined, `${argument}.seen`),
      hide: flag(hide, undefined, `${argument}.hide`),
    };
  });
}

/** Fills what was left out from the kind that exists, else with the defaults. */
export function completeKinds(given: readonly GivenKind[], existing: readonly CoreKind[]): CoreKind[] {
  const byName = new Map(existing.map((kind) => [kind.name, kind]));
  const complete = given.map((kind): CoreKind => {
    const known = byName.get(kind.name);
    return {
      name: kind.name,
      weight: kind.weight ?? known?.weight ?? DEFAULT_WEIGHT,
      halfLifeMs: kind.halfLifeMs ?? known?.halfLifeMs ?? DEFAULT_HALF_LIFE,
      seen: kind.seen ?? known?.seen ?? false,
      hide: kind.hide ?? known?.hide ?? false,
    };
  });
  const added = complete.filter((kind) => !byName.has(kind.name)).length;
  if (existing.length + added > MAX_KINDS) throw invalidArgument("signals", `at most ${MAX_KINDS} kinds in all`);
  return complete;
}

/** Refuses kinds that are stored with another half-life or role. */
export function compareKinds(kinds: readonly CoreKind[], stored: readonly CoreKind[]): void {
  for (const kind of kinds) {
    const same = stored.find((candidate) => candidate.name === kind.name);
    if (same === undefined) continue;
    if (same.halfLifeMs !== kind.halfLifeMs || same.seen !== kind.seen || same.hide !== kind.hide) {
      throw new TidegateError("SchemaMismatch", {
        argument: `signals.${kind.name}`,
        message: "the stored kind has another half-life or role",
      });
    }
  }
}

/** The numbers of the kinds of one database. */
export class Kinds {
  readonly #list: () => readonly CoreKind[];
  #numbers: ReadonlyMap<unknown, number>;

  constructor(list: () => readonly CoreKind[]) {
    this.#list = list;
    this.#numbers = numbered(list());
  }

  /** How many kinds are known here; the numbers that were given out are below it. */
  get count(): number {
    return this.#numbers.size;
  }

  /** The number of a kind. */
  number(kind: unknown, argument: string): number {
    const known = this.#numbers.get(kind);
    if (known !== undefined) return known;
    if (typeof kind !== "string") throw invalidArgument(argument, "the name of a kind");
    // Another tab or an import may have brought it since.
    this.#numbers = numbered(this.#list());
    const number = this.#numbers.get(kind);
    if (number !== undefined) return number;
    const named = JSON.stringify(kind.slice(0, SHOWN));
    throw new TidegateError("UnknownKind", {
      argument,
      message: `no kind is called ${named}; add it to \`signals\` when opening`,
    });
  }

  /** Checks a share policy and turns its kinds into numbers. */
  policy(policy: unknown): CorePolicy | undefined {
    if (policy === undefined) return undefined;
    const { version, share } = fields<SharePolicy>(policy, "policy");
    return Uint16Array.of(whole(version, 1, MAX_POLICY_VERSION, "policy.version"), ...this.#share(share));
  }

  #share(share: unknown): number[] {
    if (share === undefined) return [0];
    if (typeof share === "string") return [oneOf(share, ["All", "None"], "policy.share") === "All" ? 0 : 1];
    return [
      2,
      ...Array.from(iterable(share, "policy.share"), (kind, index) => this.number(kind, `policy.share[${index}]`)),
    ];
  }
}

function numbered(kinds: readonly CoreKind[]): ReadonlyMap<unknown, number> {
  return new Map(kinds.map(({ name }, number) => [name, number]));
}
