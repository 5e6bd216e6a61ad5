import { detectCharset } from "./detect-charset.ts";
import { UnreadableError } from "./unreadable.ts";
import { isValidIn } from "./valid-text.ts";

/** WHATWG's encoding for a text that names none and is not UTF-8. */
export const FALLBACK = "windows-1252";
/** Japanese e-mail's escape to two-byte characters; all its bytes are ASCII. */
const ISO_2022_JP = "\u001b$";
/** A text with this many more UTF-8 characters than invalid bytes is a damaged one in UTF-8. */
const MIN_VALID_RATIO = 4;
const REPLACEMENT = "\ufffd";
/** A text with more bytes beyond ASCII than this share in no known encoding cannot be read. */
const MAX_UNKNOWN_SHARE = 0.1;
const ASCII_LIMIT = 0x80;
/** Bytes of an HTML document that may name its encoding. */
const META_BYTES = 4096;
/** Bytes of a text used to detect its encoding. */
const HEAD_BYTES = 64 * 1024;

const BYTE_ORDER_MARKS: readonly { encoding: string; bytes: readonly number[] }[] = [
  { encoding: "utf-8", bytes: [0xef, 0xbb, 0xbf] },
  { encoding: "utf-16le", bytes: [0xff, 0xfe] },
  { encoding: "utf-16be", bytes: [0xfe, 0xff] },
];

/** `charset=` of a content type or a meta element: `<meta charset="x">` and `content="text/html; charset=x"`. */
const CHARSET = /charset\s*=\s*["']?\s*(?<label>[\w:.+-]{1,40})/i;
/** The declaration at the start of an XML document. */
const XML_DECLARATION = /^<\?xml\s[^>]{0,200}?\bencoding\s*=\s*["'](?<label>[\w:.+-]{1,40})/;
const META = /<meta\s[^>]{0,500}/gi;

export interface EncodingHints {
  /** The content type declared by the sender. */
  declared?: string | undefined;
  /** Whether the text is HTML, which may name its encoding. */
  html?: boolean;
  /** Whether the text continues after the given bytes. */
  isBeginning?: boolean;
  /** Whether to throw UnreadableError for a text in an unknown encoding. */
  strict?: boolean;
}

/**
 * The encoding of a text: by its byte order mark, its declaration, a meta element (HTML only), the declaration of XML, otherwise UTF-8 if
 * valid, otherwise the most likely one, otherwise windows-1252. Unknown labels are ignored, and so is "UTF-8" for
 * invalid UTF-8.
 */
export function encodingOf(bytes: Uint8Array, hints: EncodingHints = {}): string {
  const { declared = "", html = false, isBeginning = false, strict = false } = hints;
  const mark = BYTE_ORDER_MARKS.find((candidate) => candidate.bytes.every((byte, index) => bytes[index] === byte));
  if (mark) return mark.encoding;
  const encoding =
    supportedEncoding(CHARSET.exec(declared)?.groups?.label) ??
    (html ? encodingInMeta(bytes) : undefined) ??
    encodingInXml(bytes);
  if (encoding !== undefined && encoding !== "utf-8") return encoding;
  if (isValidIn("utf-8", bytes, isBeginning))
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(ISO_2022_JP)
      ? "iso-2022-jp"
      : "utf-8";
  const detected = isDamagedUtf8(bytes) ? "utf-8" : detectCharset(bytes);
  if (detected === undefined && strict && isMostlyForeign(bytes)) {
    throw new UnreadableError("its character encoding is not known; save it as UTF-8, or declare its charset");
  }
  return detected ?? FALLBACK;
}

function isDamagedUtf8(bytes: Uint8Array): boolean {
  let invalid = 0;
  let valid = 0;
  for (const character of new TextDecoder().decode(bytes)) {
    if (character === REPLACEMENT) invalid++;
    else if (character.charCodeAt(0) >= ASCII_LIMIT) valid++;
  }
  return valid > invalid * MIN_VALID_RATIO;
}

function isMostlyForeign(bytes: Uint8Array): boolean {
  let foreign = 0;
  for (const byte of bytes) if (byte >= ASCII_LIMIT) foreign++;
  return foreign > bytes.length * MAX_UNKNOWN_SHARE;
}

function encodingInXml(bytes: Uint8Array): string | undefined {
  const text = new TextDecoder("latin1").decode(bytes.subarray(0, META_BYTES));
  const encoding = supportedEncoding(XML_DECLARATION.exec(text)?.groups?.label);
  return encoding?.startsWith("utf-16") ? "utf-8" : encoding;
}

function encodingInMeta(head: Uint8Array): string | undefined {
  const text = new TextDecoder("latin1").decode(head.subarray(0, META_BYTES));
  for (const [meta] of text.matchAll(META)) {
    const encoding = supportedEncoding(CHARSET.exec(meta)?.groups?.label);
    if (encoding !== undefined) return encoding.startsWith("utf-16") ? "utf-8" : encoding;
  }
  return undefined;
}

/** The canonical name of an encoding; undefined for an unknown label. */
export function supportedEncoding(label: string | undefined): string | undefined {
  if (label === undefined) return undefined;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

/** Decodes a whole text. Invalid bytes become U+FFFD; byte order marks are dropped. */
export function decodeText(bytes: Uint8Array, hints: Omit<EncodingHints, "isBeginning"> = {}): string {
  return new TextDecoder(encodingOf(bytes, hints)).decode(bytes);
}

/** Decodes a streamed text chunk by chunk; at first, the chunks that detect the encoding are held in memory. */
export async function* decodeStream(
  bytes: AsyncIterable<Uint8Array>,
  hints: Omit<EncodingHints, "isBeginning"> = {},
): AsyncGenerator<string, void> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let head: Uint8Array[] = [];
  for await (const part of bytes) {
    if (decoder) {
      yield decoder.decode(part, { stream: true });
      continue;
    }
    head.push(part);
    if (head.reduce((sum, { byteLength }) => sum + byteLength, 0) < HEAD_BYTES) continue;
    const beginning = Buffer.concat(head);
    head = [];
    decoder = new TextDecoder(encodingOf(beginning, { ...hints, isBeginning: true }));
    yield decoder.decode(beginning, { stream: true });
  }
  yield decoder ? decoder.decode() : decodeText(Buffer.concat(head), hints);
}
