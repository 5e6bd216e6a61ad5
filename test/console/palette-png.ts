import { crc32, deflateSync, inflateSync } from "node:zlib";

const SIGNATURE = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
const TRUE_COLOUR = 2;
const WITH_ALPHA = 6;
const INDEXED = 3;
const MAX_COLOURS = 256;
const HEADER_BYTES = 13;

interface Pixels {
  width: number;
  height: number;
  /** Red, green and blue of each pixel, row by row. */
  rgb: Buffer;
}

/** The same picture with at most 256 colours, which takes about a third of the bytes; for opaque pictures of text. */
export function reduceColours(png: Buffer): Buffer {
  const pixels = readPixels(png);
  for (let bits = 8; bits > 0; bits--) {
    const indexed = indexColours(pixels, bits);
    if (indexed) return writeIndexed(pixels, indexed);
  }
  throw new Error("a picture of one bit a channel has at most eight colours");
}

/** Indexes into a palette of colours with so many bits a channel, or undefined where these are too many colours. */
function indexColours({ rgb }: Pixels, bits: number): { palette: Buffer; indexes: Buffer } | undefined {
  const places = new Map<number, number>();
  const indexes = Buffer.alloc(rgb.length / 3);
  const round = (value: number) => Math.round(Math.round((value / 255) * (2 ** bits - 1)) * (255 / (2 ** bits - 1)));
  const rounded = Uint8Array.from({ length: 256 }, (_, value) => round(value));
  for (let pixel = 0; pixel < indexes.length; pixel++) {
    const [red, green, blue] = [0, 1, 2].map((channel) => rounded[rgb[pixel * 3 + channel] ?? 0] ?? 0);
    const colour = ((red ?? 0) << 16) | ((green ?? 0) << 8) | (blue ?? 0);
    const index = places.get(colour) ?? places.size;
    if (index === MAX_COLOURS) return undefined;
    places.set(colour, index);
    indexes[pixel] = index;
  }
  return { palette: Buffer.from([...places.keys()].flatMap((c) => [c >> 16, (c >> 8) & 255, c & 255])), indexes };
}

function writeIndexed({ width, height }: Pixels, { palette, indexes }: { palette: Buffer; indexes: Buffer }): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, INDEXED], 8);
  const rows = Array.from({ length: height }, (_, row) => [
    Buffer.of(0),
    indexes.subarray(row * width, (row + 1) * width),
  ]);
  const data = deflateSync(Buffer.concat(rows.flat()), { level: 9 });
  const chunks = [chunk("IHDR", header), chunk("PLTE", palette), chunk("IDAT", data), chunk("IEND", Buffer.alloc(0))];
  return Buffer.concat([SIGNATURE, ...chunks]);
}

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, check]);
}

/** Reads a picture of eight bits a channel without interlacing, as browsers write them. */
function readPixels(png: Buffer): Pixels {
  const data: Buffer[] = [];
  let header: Buffer = Buffer.alloc(HEADER_BYTES);
  for (let at = SIGNATURE.length; at < png.length; at += png.readUInt32BE(at) + 12) {
    const type = png.toString("latin1", at + 4, at + 8);
    const body = png.subarray(at + 8, at + 8 + png.readUInt32BE(at));
    if (type === "IHDR") header = body;
    if (type === "IDAT") data.push(body);
  }
  const [width, height, depth, kind] = [header.readUInt32BE(0), header.readUInt32BE(4), header[8], header[9]];
  const isRead = depth === 8 && (kind === TRUE_COLOUR || kind === WITH_ALPHA) && header[12] === 0;
  if (!isRead) throw new Error("the picture is interlaced, or has other than eight bits a channel");
  const channels = kind === WITH_ALPHA ? 4 : 3;
  const bytes = undoFilters(inflateSync(Buffer.concat(data)), width * channels, channels);
  const rgb = channels === 3 ? bytes : bytes.filter((_, index) => index % channels !== channels - 1);
  return { width, height, rgb: Buffer.from(rgb) };
}

/** The bytes of all rows, from rows that each begin with how they differ from their neighbours. */
function undoFilters(filtered: Buffer, rowBytes: number, pixelBytes: number): Buffer {
  const rows = filtered.length / (rowBytes + 1);
  const bytes = Buffer.alloc(rows * rowBytes);
  for (let row = 0; row < rows; row++) {
    const filter = filtered[row * (rowBytes + 1)];
    for (let index = 0; index < rowBytes; index++) {
      const at = row * rowBytes + index;
      const left = index >= pixelBytes ? (bytes[at - pixelBytes] ?? 0) : 0;
      const up = row > 0 ? (bytes[at - rowBytes] ?? 0) : 0;
      const corner = row > 0 && index >= pixelBytes ? (bytes[at - rowBytes - pixelBytes] ?? 0) : 0;
      const guess = [0, left, up, (left + up) >> 1, nearest(left, up, corner)][filter ?? 0] ?? 0;
      bytes[at] = (filtered[row * (rowBytes + 1) + 1 + index] ?? 0) + guess;
    }
  }
  return bytes;
}

/** The one of three neighbours that is nearest to left + up - corner (the Paeth filter of the PNG specification). */
function nearest(left: number, up: number, corner: number): number {
  const [toLeft, toUp, toCorner] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}
