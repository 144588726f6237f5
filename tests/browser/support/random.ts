// Random numbers from a seed, for pages and for tests. What browsers and processes do meanwhile no seed repeats.

/** The generator "mulberry32". */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A whole number from 0 to below `limit`. */
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  }

  /** Whether something happens that does so with this probability. */
  chance(probability: number): boolean {
    return this.below(1_000_000) < probability * 1_000_000;
  }
}

/** A seed for a test to begin with: TIDEGATE_SEED, or a new one. The test prints it. */
export function newSeed(): number {
  const given = process.env.TIDEGATE_SEED;
  return given === undefined ? Math.floor(Math.random() * 2 ** 32) : Number(given);
}
