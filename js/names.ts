// Numbers of names. What a string id costs is mostly memory that the processor waits for. A `Map` reads the string, a bucket, and
// entries and strings that share the bucket, one after another; here it is the string, a slot, and the name to compare with.

/** So many characters, the last, tell names apart; where they do not, a `Map` does. */
const TAIL = 16;
/** So many slots may hold a name. */
const REACH = 8;

/** What numbers below 0 stand for: names, each under a number of its own. */
export class Names {
  /** The name of −n at n; numbers that are no name's have the empty string, which is none. */
  readonly #names: string[] = [""];
  /** 0 where a slot is free, else n. At most half of them are taken. */
  #slots = new Int32Array(128);
  /** Those that found no slot. */
  #crowded = new Map<string, number>();
  #count = 0;

  get(name: string): number | undefined {
    const slots = this.#slots;
    let slot = hash(name);
    for (const end = slot + REACH; slot < end; slot++) {
      const number = slots[slot & (slots.length - 1)] as number;
      if (number === 0) return undefined;
      if (this.#names[number] === name) return -number;
    }
    return this.#crowded.get(name);
  }

  /** Takes in a name that is not known. */
  set(name: string, number: number): void {
    while (this.#names.length < -number) this.#names.push("");
    this.#names[-number] = name;
    if (++this.#count * 2 > this.#slots.length) this.#grow();
    else this.#enter(name, -number);
  }

  #grow(): void {
    this.#slots = new Int32Array(this.#slots.length * 2);
    this.#crowded = new Map();
    this.#names.forEach((name, number) => {
      if (name !== "") this.#enter(name, number);
    });
  }

  #enter(name: string, number: number): void {
    const slots = this.#slots;
    let slot = hash(name);
    for (const end = slot + REACH; slot < end; slot++) {
      const place = slot & (slots.length - 1);
      if (slots[place] === 0) {
        slots[place] = number;
        return;
      }
    }
    this.#crowded.set(name, -number);
  }
}

function hash(name: string): number {
  const { length } = name;
  let mixed = length;
  for (let place = Math.max(0, length - TAIL); place < length; place++) {
    mixed = Math.imul(mixed ^ name.charCodeAt(place), 0x5bd1e995);
  }
  // Not negative, so that counting slots from here does not overflow.
  return (mixed ^ (mixed >>> 15)) & 0x3fff_ffff;
}
