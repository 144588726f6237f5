// What a WebAssembly module consists of: its sections, and its functions by name.

/**
 * @typedef {object} Section
 * @property {string} name that of a custom section after "custom "
 * @property {number} start where it begins, with its header
 * @property {number} body where its contents begin
 * @property {number} end
 */

const KINDS = "custom type import function table memory global export start element code data counts tag".split(" ");
const PREAMBLE = 8;

/** Reads the parts of a module one after another. */
class Cursor {
  /**
   * @param {Uint8Array} bytes
   * @param {number} at
   */
  constructor(bytes, at) {
    this.bytes = bytes;
    this.at = at;
  }

  byte() {
    return this.bytes[this.at++] ?? 0;
  }

  number() {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  }

  /** @param {number} length */
  skip(length) {
    this.at += length;
    if (this.at > this.bytes.length) throw new Error("the module ends too early");
  }

  text() {
    const length = this.number();
    this.skip(length);
    return new TextDecoder().decode(this.bytes.subarray(this.at - length, this.at));
  }
}

/**
 * @param {Uint8Array} bytes a module
 * @returns {Section[]}
 */
export function sections(bytes) {
  const found = [];
  const cursor = new Cursor(bytes, PREAMBLE);
  while (cursor.at < bytes.length) {
    const start = cursor.at;
    const kind = cursor.byte();
    const length = cursor.number();
    const body = cursor.at;
    const name = kind === 0 ? `custom ${cursor.text()}` : (KINDS[kind] ?? "?");
    cursor.at = body + length;
    found.push({ name, start, body, end: cursor.at });
  }
  return found;
}

/**
 * The same module without the names of its functions, which only debuggers read.
 * @param {Uint8Array} bytes
 */
export function withoutNames(bytes) {
  const kept = sections(bytes).filter(({ name }) => name !== "custom name");
  return Buffer.concat([bytes.subarray(0, PREAMBLE), ...kept.map(({ start, end }) => bytes.subarray(start, end))]);
}

/**
 * The functions of a module that still has their names, with the bytes of their code.
 * @param {Uint8Array} bytes
 * @returns {{ name: string, bytes: number }[]}
 */
export function functions(bytes) {
  const all = sections(bytes);
  const section = (/** @type {string} */ wanted) => {
    const found = all.find(({ name }) => name === wanted);
    if (!found) throw new Error(`the module has no section "${wanted}"`);
    return new Cursor(bytes, found.body);
  };
  const names = functionNames(section("custom name"));
  const code = section("code");
  const lengths = Array.from({ length: code.number() }, () => {
    const length = code.number();
    code.skip(length);
    return length;
  });
  // Imported functions have the first numbers, and names too.
  const imported = Math.max(...names.keys()) + 1 - lengths.length;
  return lengths.map((length, index) => ({ name: names.get(imported + index) ?? "", bytes: length }));
}

/** @param {Cursor} cursor at a name section */
function functionNames(cursor) {
  cursor.text();
  const names = new Map();
  // The first part may be the module's own name.
  for (let part = cursor.byte(); part !== 1; part = cursor.byte()) cursor.skip(cursor.number());
  cursor.number();
  for (let count = cursor.number(); count > 0; count--) names.set(cursor.number(), cursor.text());
  return names;
}
