// The files of a file store, byte by byte. Integers are little-endian.
//
//   log       "TIDELOG1" │ identity 8 │ base f64 │ check u32 │ rows, each: length u32 │ ~length u32 │ bytes
//   snapshot  "TIDESNP1" │ identity 8 │ position f64 │ count u32 │ check u32 │ count fingerprints u32 │ bytes
//
// A row's bytes and a snapshot's have checksums of their own, which the core looks at. `check` is the fingerprint of what
// stands before it. The identity is made with the database and ties the two files together.
import { TidegateError } from "./errors.js";
import { fingerprint } from "./fingerprint.js";

const LOG = "TIDELOG1";
const SNAPSHOT = "TIDESNP1";
const LOG_HEADER = 28;
const SNAPSHOT_HEADER = 32;
const ROW_HEADER = 8;

/** The rows after `base`. */
export interface LogFile {
  identity: bigint;
  base: number;
  rows: Uint8Array[];
  /** Where the last whole row ends; what follows was cut off while it was written. */
  end: number;
}

/** The snapshot, and fingerprints of the last rows that it stands for. */
export interface SnapshotFile {
  identity: bigint;
  position: number;
  prints: Uint32Array;
  bytes: Uint8Array;
}

/** A log file. */
export function writeLog({ identity, base, rows }: Omit<LogFile, "end">): Uint8Array {
  const header = new Uint8Array(LOG_HEADER);
  const view = start(header, LOG, identity, base);
  view.setUint32(LOG_HEADER - 4, fingerprint(header.subarray(0, LOG_HEADER - 4)), true);
  return concat([header, ...rows.map(writeRow)]);
}

/** A row as it is appended to a log file. */
export function writeRow(row: Uint8Array): Uint8Array {
  const header = new Uint8Array(ROW_HEADER);
  const view = new DataView(header.buffer);
  view.setUint32(0, row.length, true);
  view.setUint32(4, ~row.length, true);
  return concat([header, row]);
}

/** Reads a log file. Throws `CorruptEvents` or `UnsupportedVersion`. */
export function readLog(file: Uint8Array): LogFile {
  const { view, identity, number: base } = open(file, LOG, LOG_HEADER, "CorruptEvents");
  const rows: Uint8Array[] = [];
  let end = LOG_HEADER;
  while (file.length - end >= ROW_HEADER) {
    const length = view.getUint32(end, true);
    if (view.getUint32(end + 4, true) !== ~length >>> 0) {
      // A file can have grown without its bytes having come to the disk.
      if (file.subarray(end).every((byte) => byte === 0)) break;
      throw new TidegateError("CorruptEvents");
    }
    if (file.length - end - ROW_HEADER < length) break;
    rows.push(file.slice(end + ROW_HEADER, end + ROW_HEADER + length));
    end += ROW_HEADER + length;
  }
  return { identity, base, rows, end };
}

/** A snapshot file. */
export function writeSnapshot({ identity, position, prints, bytes }: SnapshotFile): Uint8Array {
  const header = new Uint8Array(SNAPSHOT_HEADER);
  const view = start(header, SNAPSHOT, identity, position);
  view.setUint32(24, prints.length, true);
  view.setUint32(SNAPSHOT_HEADER - 4, fingerprint(header.subarray(0, SNAPSHOT_HEADER - 4)), true);
  const list = new Uint8Array(prints.length * 4);
  const words = new DataView(list.buffer);
  prints.forEach((print, index) => {
    words.setUint32(index * 4, print, true);
  });
  return concat([header, list, bytes]);
}

/** Reads a snapshot file. Throws `CorruptSnapshot` or `UnsupportedVersion`. */
export function readSnapshot(file: Uint8Array): SnapshotFile {
  const { view, identity, number: position } = open(file, SNAPSHOT, SNAPSHOT_HEADER, "CorruptSnapshot");
  const count = view.getUint32(24, true);
  const after = SNAPSHOT_HEADER + count * 4;
  if (after > file.length) throw new TidegateError("CorruptSnapshot");
  const prints = Uint32Array.from({ length: count }, (_, index) => view.getUint32(SNAPSHOT_HEADER + index * 4, true));
  return { identity, position, prints, bytes: file.slice(after) };
}

function start(header: Uint8Array, magic: string, identity: bigint, number: number): DataView {
  const view = new DataView(header.buffer);
  header.set(new TextEncoder().encode(magic));
  view.setBigUint64(8, identity, true);
  view.setFloat64(16, number, true);
  return view;
}

function open(file: Uint8Array, magic: string, length: number, corrupt: "CorruptEvents" | "CorruptSnapshot") {
  const found = new TextDecoder("latin1").decode(file.subarray(0, magic.length));
  // The last character is the version of the layout.
  if (found !== magic && found.slice(0, -1) === magic.slice(0, -1) && /[2-9]$/.test(found)) {
    throw new TidegateError("UnsupportedVersion");
  }
  if (found !== magic || file.length < length) throw new TidegateError(corrupt);
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const number = view.getFloat64(16, true);
  const whole = view.getUint32(length - 4, true) === fingerprint(file.subarray(0, length - 4));
  if (!whole || !Number.isSafeInteger(number) || number < 0) throw new TidegateError(corrupt);
  return { view, identity: view.getBigUint64(8, true), number };
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const part of parts) {
    all.set(part, offset);
    offset += part.length;
  }
  return all;
}
