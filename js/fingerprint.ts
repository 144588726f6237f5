// Fingerprints of the rows that a compaction took away. A tab whose last transaction never said whether it is complete,
// and that a compaction has left behind since, learns from them whether its row was among them.

/** So many rows are remembered. */
const MAX_PRINTS = 4096;

/** A 32-bit fingerprint (FNV-1a). */
export function fingerprint(row: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of row) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

/** The fingerprints with those of the rows that follow. */
export function withPrints(prints: Uint32Array, rows: readonly Uint8Array[]): Uint32Array<ArrayBuffer> {
  return Uint32Array.from([...prints, ...rows.map(fingerprint)].slice(-MAX_PRINTS));
}

/** The fingerprint of the row right after `position`, where `prints` are those of the last rows up to `compacted`. */
export function printAfter(prints: Uint32Array, compacted: number, position: number): number | undefined {
  return prints[prints.length - (compacted - position)];
}
