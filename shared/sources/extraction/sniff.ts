import type { FileKind } from "../source.ts";
import { readsAs } from "./charset.ts";

/** So much of a file tells what it is. */
export const SNIFFED_BYTES = 64 * 1024;

export interface Sniffed {
  kind: FileKind;
  content_type: string;
}

const IMAGES = new Set(
  "image/png image/jpeg image/gif image/webp image/bmp image/tiff image/avif image/heic image/heif image/x-icon image/jxl image/vnd.adobe.photoshop".split(
    " ",
  ),
);
const MARKDOWN_NAME = /\.(?:md|markdown|mdown|mkd)$/i;
const HTML_START =
  /^<(?:!doctype\s+html|html|head|body|meta|title|article|section|main|div|h[1-6]|p|table|ul|ol)[\s>]/i;
const SVG_START = /^<(?:!doctype\s+)?svg[\s>]/i;
/** What may stand before a document's first element. */
const PROLOGUE: readonly (readonly [start: string, end: string])[] = [
  ["<?xml", "?>"],
  ["<!--", "-->"],
];
const FIRST_PRINTABLE = 0x20;
/** Tab, line feed, form feed, carriage return and escape: the controls that texts hold. */
const CONTROLS_OF_TEXT = [0x09, 0x0a, 0x0c, 0x0d, 0x1b];

/** What a file is, by its first bytes; its name and what was declared decide only between kinds of text. */
export async function sniff(
  head: Uint8Array,
  { name = "", declared = "" }: { name?: string | undefined; declared?: string | undefined } = {},
): Promise<Sniffed> {
  const { fileTypeFromBuffer } = await import("file-type");
  const mime = (await fileTypeFromBuffer(head))?.mime;
  if (mime === "application/pdf") return { kind: "pdf", content_type: mime };
  if (mime !== undefined && mime !== "application/xml") return { kind: kindOf(mime), content_type: mime };
  if (!isText(head, declared)) return { kind: "attachment", content_type: "application/octet-stream" };
  return textKind(new TextDecoder("latin1").decode(head.subarray(0, 4096)), name, declared);
}

function kindOf(mime: string): FileKind {
  if (IMAGES.has(mime)) return "image";
  return mime.startsWith("audio/") ? "audio" : "attachment";
}

function isText(head: Uint8Array, declared: string): boolean {
  const isUtf16 = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  if (isUtf16) return true;
  if (/charset\s*=\s*["']?utf-?16/i.test(declared)) return readsAs("utf-16", head, true);
  return head.every((byte) => byte >= FIRST_PRINTABLE || CONTROLS_OF_TEXT.includes(byte));
}

function textKind(start: string, name: string, declared: string): Sniffed {
  const document = withoutPrologue(start.replace(/^(?:ï»¿|ÿþ|þÿ)/, "").replaceAll("\0", ""));
  if (SVG_START.test(document)) return { kind: "attachment", content_type: "image/svg+xml" };
  const isPage = /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(declared);
  if (HTML_START.test(document) || (isPage && document.startsWith("<"))) {
    return { kind: "html", content_type: "text/html" };
  }
  const isMarkdown = MARKDOWN_NAME.test(name) || /^\s*text\/(?:x-)?markdown\b/i.test(declared);
  return isMarkdown
    ? { kind: "markdown", content_type: "text/markdown" }
    : { kind: "text", content_type: "text/plain" };
}

function withoutPrologue(text: string): string {
  let rest = text.trimStart();
  for (;;) {
    const part = PROLOGUE.find(([start]) => rest.startsWith(start));
    const end = part ? rest.indexOf(part[1], part[0].length) : -1;
    if (!part || end < 0) return rest;
    rest = rest.slice(end + part[1].length).trimStart();
  }
}
