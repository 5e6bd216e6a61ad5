import type { FileKind } from "../source.ts";
import { isValidIn } from "./valid-text.ts";

/** Bytes used to detect a file's type. */
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
/** The type of all archives; `readOffice` later detects an office format. */
export const ZIP = "application/zip";
const OFFICE =
  /^application\/(?:epub\+zip|vnd\.(?:openxmlformats-officedocument|oasis\.opendocument|ms-(?:word|excel|powerpoint))\..*)$/;
const OFFICE_NAME = /\.(?:do[ct][xm]|xl[st][xm]|pp[st][xm]|pot[xm]|od[tsp]|ot[tsp]|epub)$/i;
const MARKDOWN: Sniffed = { kind: "markdown", content_type: "text/markdown" };
const SUBRIP: Sniffed = { kind: "subtitles", content_type: "application/x-subrip" };
const JSON_DATA: Sniffed = { kind: "data", content_type: "application/json" };
const NOTEBOOK: Sniffed = { kind: "notebook", content_type: "application/x-ipynb+json" };
const CSV: Sniffed = { kind: "spreadsheet", content_type: "text/csv" };
const EMAIL: Sniffed = { kind: "email", content_type: "message/rfc822" };
const XML: Sniffed = { kind: "data", content_type: "application/xml" };
const CALENDAR: Sniffed = { kind: "data", content_type: "text/calendar" };
const CARD: Sniffed = { kind: "data", content_type: "text/vcard" };
const CODE: Sniffed = { kind: "code", content_type: "text/plain" };
/** Text types by file name extension. */
const BY_NAME: readonly (readonly [name: RegExp, Sniffed])[] = [
  [/\.(?:md|markdown|mdown|mkd)$/i, MARKDOWN],
  [/\.srt$/i, SUBRIP],
  [/\.ipynb$/i, NOTEBOOK],
  [/\.(?:json|jsonl|ndjson|geojson)$/i, JSON_DATA],
  [/\.(?:csv|tsv)$/i, CSV],
  [/\.(?:eml|mht|mhtml)$/i, EMAIL],
  [
    /\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|kts?|scala|swift|c|h|cc|cpp|hpp|cs|m|mm|php|pl|lua|r|jl|ex|exs|erl|hs|clj|dart|sh|bash|zsh|ps1|sql|proto|graphql|tf|gradle|vue|svelte|css|scss|less|ya?ml|toml|ini)$/i,
    CODE,
  ],
];
/** Text types by declared content type. */
const BY_TYPE: readonly (readonly [type: RegExp, Sniffed])[] = [
  [/^text\/(?:x-)?markdown\b/i, MARKDOWN],
  [/^application\/x-subrip\b/i, SUBRIP],
  [/^application\/x-ipynb\+json\b/i, NOTEBOOK],
  [/^application\/(?:[a-z.]{1,60}\+)?(?:json|x-ndjson|jsonl)\b/i, JSON_DATA],
  [/^text\/(?:csv|tab-separated-values)\b/i, CSV],
  [/^message\/rfc822\b/i, EMAIL],
];
/** A header that occurs only in email messages. */
const EMAIL_HEADER = /^(?:Return-Path|Received|Delivered-To|MIME-Version|Message-ID):/im;
const ANY_HEADER = /^[A-Z][\w-]{0,60}:/i;
const HTML_START =
  /^<(?:!doctype\s+html|html|head|body|meta|title|article|section|main|div|h[1-6]|p|table|ul|ol)[\s>]/i;
/** Elements of HTML alone, also in XHTML. */
const PAGE_START = /^<(?:!doctype\s+html|html|head|body)[\s>]/i;
const SVG_START = /^<(?:!doctype\s+)?svg[\s>]/i;
const XML_NAME = /\.(?:xml|rss|atom|opml|rdf|xsd|plist)$/i;
const XML_TYPE = /^\s*(?:application|text)\/(?:[a-z.-]{1,60}\+)?xml\b/i;
const MAX_START = 20;
/** Markup that may precede a document's first element. */
const PROLOGUE: readonly (readonly [start: string, end: string])[] = [
  ["<?xml", "?>"],
  ["<!--", "-->"],
];
const FIRST_PRINTABLE = 0x20;
/** Tab, line feed, form feed, carriage return and escape: control characters of texts. */
const CONTROLS_OF_TEXT = [0x09, 0x0a, 0x0c, 0x0d, 0x1b];

/** Returns the type of a file by its first bytes; its name and declared type decide only between text types. */
export async function sniff(
  head: Uint8Array,
  { name = "", declared = "" }: { name?: string | undefined; declared?: string | undefined } = {},
): Promise<Sniffed> {
  const { fileTypeFromBuffer } = await import("file-type");
  const mime = (await fileTypeFromBuffer(head))?.mime;
  if (mime === "application/pdf") return { kind: "pdf", content_type: mime };
  if (mime === ZIP) return { kind: OFFICE_NAME.test(name) ? "document" : "attachment", content_type: ZIP };
  if (mime !== undefined && OFFICE.test(mime)) return { kind: "document", content_type: ZIP };
  if (mime === "application/rtf") return { kind: "document", content_type: mime };
  if (mime === "text/vtt" || mime === SUBRIP.content_type) return { kind: "subtitles", content_type: mime };
  const isOther = mime !== undefined && mime !== "application/xml" && !mime.startsWith("text/");
  if (isOther) return { kind: kindOf(mime), content_type: mime };
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
  if (/charset\s*=\s*["']?utf-?16/i.test(declared)) return isValidIn("utf-16", head, true);
  return head.every((byte) => byte >= FIRST_PRINTABLE || CONTROLS_OF_TEXT.includes(byte));
}

function textKind(head: string, name: string, declared: string): Sniffed {
  const text = head.replace(/^(?:ï»¿|ÿþ|þÿ)/, "").replaceAll("\0", "");
  const hasDeclaration = text.trimStart().startsWith("<?xml");
  const document = withoutPrologue(text);
  if (SVG_START.test(document)) return { kind: "attachment", content_type: "image/svg+xml" };
  const isPage = /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(declared);
  const isXml = document.startsWith("<") && (hasDeclaration || XML_NAME.test(name) || XML_TYPE.test(declared));
  if (isXml && !isPage && !PAGE_START.test(document)) return XML;
  if (HTML_START.test(document) || (isPage && document.startsWith("<"))) {
    return { kind: "html", content_type: "text/html" };
  }
  const start = document.slice(0, MAX_START).toUpperCase();
  if (start.startsWith("BEGIN:VCALENDAR")) return CALENDAR;
  if (start.startsWith("BEGIN:VCARD")) return CARD;
  const [headers = ""] = document.split(/\r?\n\r?\n/, 1);
  if (ANY_HEADER.test(headers) && EMAIL_HEADER.test(headers)) return EMAIL;
  const known =
    BY_NAME.find(([ending]) => ending.test(name)) ?? BY_TYPE.find(([type]) => type.test(declared.trimStart()));
  return known?.[1] ?? { kind: "text", content_type: "text/plain" };
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
