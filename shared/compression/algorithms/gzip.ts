import { gunzipSync, gzipSync } from "node:zlib";
import { type Algorithm, unchanged } from "./algorithm.ts";

/** First two bytes of every gzip stream; no UTF-8 text begins with them. */
const GZIP_MAGIC = [0x1f, 0x8b];
/** Never occurs in UTF-8: what follows is UTF-16, which alone can hold half a surrogate pair. */
const UTF16_MARK = 0xff;

/** The baseline for bytes at rest. A model cannot read gzip, so the tokens stay what they are. */
export const gzip: Algorithm = {
  lossless: true,
  encode: (source) => ({ ...unchanged(source), storedBytes: pack(source.text).length }),
};

/** The text's bytes, gzipped where that makes them fewer. `unpack` gives every string back, ill-formed ones too. */
export function pack(text: string): Uint8Array {
  const bytes = text.isWellFormed()
    ? Buffer.from(text, "utf8")
    : Buffer.concat([Buffer.of(UTF16_MARK), Buffer.from(text, "utf16le")]);
  const zipped = gzipSync(bytes, { level: 9 });
  return zipped.length < bytes.length ? zipped : bytes;
}

/** Throws on bytes that `pack` did not make: a gzip stream that is cut or changed fails its checksum. */
export function unpack(packed: Uint8Array): string {
  const zipped = GZIP_MAGIC.every((byte, place) => packed[place] === byte);
  const bytes = Buffer.from(zipped ? gunzipSync(packed) : packed);
  return bytes[0] === UTF16_MARK ? bytes.toString("utf16le", 1) : bytes.toString("utf8");
}
