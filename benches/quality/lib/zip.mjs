// Reads single files of a zip archive (PKWARE APPNOTE 6.3): a wheel is one.
import { inflateRawSync } from "node:zlib";

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const DEFLATED = 8;

/**
 * The content of a file in an archive that is no larger than 4 GB and has no comment.
 * @param {Buffer} archive
 * @param {string} name
 */
export function unzipped(archive, name) {
  const end = archive.length - 22;
  if (end < 0 || archive.readUInt32LE(end) !== END) throw new Error("no zip archive, or one with a comment");
  let entry = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    if (archive.readUInt32LE(entry) !== ENTRY) throw new Error("the archive's directory cannot be read");
    const [nameLength, extra, comment] = [28, 30, 32].map((at) => archive.readUInt16LE(entry + at));
    if (archive.toString("utf8", entry + 46, entry + 46 + nameLength) === name) return content(archive, entry);
    entry += 46 + nameLength + extra + comment;
  }
  throw new Error(`the archive has no ${name}`);
}

/**
 * @param {Buffer} archive
 * @param {number} entry
 */
function content(archive, entry) {
  const method = archive.readUInt16LE(entry + 10);
  const size = archive.readUInt32LE(entry + 20);
  const header = archive.readUInt32LE(entry + 42);
  const start = header + 30 + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28);
  const bytes = archive.subarray(start, start + size);
  return method === DEFLATED ? inflateRawSync(bytes) : bytes;
}
