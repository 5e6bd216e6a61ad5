import { inflateSync } from "node:zlib";

const SIGNATURE = "wOFF";
const HEADER_BYTES = 44;
const ENTRY_BYTES = 20;
const SFNT_HEADER_BYTES = 12;
const SFNT_ENTRY_BYTES = 16;

/**
 * The OpenType font of a WOFF 1.0 file (W3C, "WOFF File Format 1.0") with its tables uncompressed, because embedding
 * reads them repeatedly. Throws on other files.
 */
export function unpackWoff(woff: Buffer): Buffer {
  if (woff.toString("latin1", 0, SIGNATURE.length) !== SIGNATURE) throw new Error("the font is no WOFF file");
  const count = woff.readUInt16BE(12);
  const directory = Buffer.alloc(SFNT_HEADER_BYTES + count * SFNT_ENTRY_BYTES);
  woff.copy(directory, 0, SIGNATURE.length, SIGNATURE.length + 4);
  directory.writeUInt16BE(count, 4);
  const parts = [directory];
  let position = directory.length;
  for (let table = 0; table < count; table++) {
    const entry = HEADER_BYTES + table * ENTRY_BYTES;
    const data = unpackTable(woff, entry);
    const place = SFNT_HEADER_BYTES + table * SFNT_ENTRY_BYTES;
    woff.copy(directory, place, entry, entry + 4);
    woff.copy(directory, place + 4, entry + 16, entry + 20);
    directory.writeUInt32BE(position, place + 8);
    directory.writeUInt32BE(data.length, place + 12);
    const padded = Buffer.alloc(Math.ceil(data.length / 4) * 4);
    data.copy(padded);
    parts.push(padded);
    position += padded.length;
  }
  return Buffer.concat(parts);
}

/** A table is compressed only if that is smaller. */
function unpackTable(woff: Buffer, entry: number): Buffer {
  const offset = woff.readUInt32BE(entry + 4);
  const packedLength = woff.readUInt32BE(entry + 8);
  const packed = woff.subarray(offset, offset + packedLength);
  return packedLength < woff.readUInt32BE(entry + 12) ? inflateSync(packed) : packed;
}
