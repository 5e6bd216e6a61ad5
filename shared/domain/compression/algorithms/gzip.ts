import { gunzipSync, gzipSync } from "node:zlib";
import { type Algorithm, unchanged } from "./algorithm.ts";

/** First two bytes of every gzip stream; no UTF-8 text begins with them. */
const GZIP_MAGIC = [0x1f, 0x8b];
/** A byte that never occurs in UTF-8. It marks UTF-16, the only one of the two that can encode a lone surrogate. */
const UTF16_MARK = 0xff;

/** The baseline for bytes at rest. A model cannot read gzip, so the token count does not change. */
export const gzip: Algorithm = {
  lossless: true,
  encode: (source) => ({ ...unchanged(source), storedBytes: pack(source.text).length }),
};

/** The text's bytes, gzipped if that makes them fewer. `unpack` restores every string, including ill-formed ones. */
export function pack(text: string): Uint8Array {
  const bytes = text.isWellFormed()
    ? Buffer.from(text, "utf8")
    : Buffer.concat([Buffer.of(UTF16_MARK), Buffer.from(text, "utf16le")]);
  const zipped = gzipSync(bytes, { level: 9 });
  return zipped.length < bytes.length ? zipped : bytes;
}

/** Returns the text that `pack` encoded. Throws if a gzip stream is truncated or modified: its checksum fails. */
export function unpack(packed: Uint8Array): string {
  const isZipped = GZIP_MAGIC.every((byte, index) => packed[index] === byte);
  const bytes = Buffer.from(isZipped ? gunzipSync(packed) : packed);
  return bytes[0] === UTF16_MARK ? bytes.toString("utf16le", 1) : bytes.toString("utf8");
}
