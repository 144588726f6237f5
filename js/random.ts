// Random numbers: names for what must not be mistaken for another.

/** 64 random bits, not all of them zero. */
export function random64(): bigint {
  return (crypto.getRandomValues(new BigUint64Array(1))[0] as bigint) || 1n;
}
