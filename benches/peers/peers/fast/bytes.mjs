// A binary container for typed arrays: a JSON head with what is small, then each array as it lies in memory, aligned.

const ARRAYS = { Uint8Array, Int32Array, Uint32Array, Float32Array, Float64Array };
/** @typedef {Uint8Array | Int32Array | Uint32Array | Float32Array | Float64Array} Column */

/** @param {number} offset */
const aligned = (offset) => (offset + 7) & ~7;

/**
 * @param {object} head
 * @param {Column[]} columns
 */
export function pack(head, columns) {
  const shapes = columns.map((column) => [column.constructor.name, column.length]);
  const text = new TextEncoder().encode(JSON.stringify({ head, shapes }));
  const begin = aligned(4 + text.length);
  const length = columns.reduce((sum, column) => sum + aligned(column.byteLength), begin);
  const bytes = new Uint8Array(length);
  new DataView(bytes.buffer).setUint32(0, text.length, true);
  bytes.set(text, 4);
  let offset = begin;
  for (const column of columns) {
    bytes.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), offset);
    offset += aligned(column.byteLength);
  }
  return bytes;
}

/**
 * The head, and the columns as views: whoever changes one copies it first.
 * @param {Uint8Array} bytes begins at a multiple of 8
 */
export function unpack(bytes) {
  const { buffer, byteOffset } = bytes;
  const length = new DataView(buffer, byteOffset).getUint32(0, true);
  const { head, shapes } = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  let offset = aligned(4 + length);
  /** @type {any[]} */
  const columns = shapes.map((/** @type {[keyof typeof ARRAYS, number]} */ [name, count]) => {
    const column = new ARRAYS[name](/** @type {ArrayBuffer} */ (buffer), byteOffset + offset, count);
    offset += aligned(column.byteLength);
    return column;
  });
  return { head, columns };
}
