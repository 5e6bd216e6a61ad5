import { decodeText } from "./charset.ts";
import { PDF_LIMITS, type Reading } from "./jobs.ts";
import type { MarkdownWriter } from "./markdown-writer.ts";
import type { Sniffed } from "./sniff.ts";
import { UnreadableError } from "./unreadable.ts";

interface Input {
  bytes: Uint8Array;
  /** The content type declared by the sender. */
  declared: string;
  /** How many files contain this one, such as 1 for an attachment. */
  depth: number;
}

type Reader = (input: Input) => Promise<Reading>;

const textOf = ({ bytes, declared }: Input) => decodeText(bytes, { declared, strict: true });
const toReading = (writer: MarkdownWriter): Reading => ({
  text: writer.text,
  ...(writer.isCut && { details: { text_cut: true } }),
});

/** Readers by content type; each library is loaded for the first file that needs it. */
const READERS: { readonly [content_type: string]: Reader } = {
  "application/zip": async ({ bytes }) => (await import("./office.ts")).readOffice(bytes),
  "application/rtf": async ({ bytes }) => toReading((await import("./rtf.ts")).readRtf(bytes)),
  "message/rfc822": async ({ bytes, depth }) => {
    const { readEmail } = await import("./email.ts");
    return readEmail(bytes, (content, file, level) => readAttached(content, file, level), depth);
  },
  "text/vtt": async (input) => toReading((await import("./subtitles.ts")).readSubtitles(textOf(input))),
  "application/x-subrip": async (input) => toReading((await import("./subtitles.ts")).readSubtitles(textOf(input))),
  "application/x-ipynb+json": async (input) => toReading((await import("./json.ts")).readNotebook(textOf(input))),
  "application/json": async (input) => toReading((await import("./json.ts")).readJson(textOf(input))),
  "application/xml": async (input) => (await import("./xml-document.ts")).readXmlDocument(textOf(input)),
  "text/calendar": async (input) => toReading((await import("./calendar.ts")).readCalendar(textOf(input))),
  "text/vcard": async (input) => toReading((await import("./calendar.ts")).readCalendar(textOf(input))),
  "text/csv": async (input) => toReading((await import("./csv.ts")).readCsv(textOf(input))),
};

/** Text formats, which are read as plain text if they are broken. */
const IS_TEXT = /^(?:text\/|message\/|application\/(?:json|xml|x-ipynb|x-subrip))/;

/** Reads a document by its type. A broken text format is read as plain text. Throws UnreadableError. */
export async function readDocument(
  bytes: Uint8Array,
  { content_type, declared = "" }: { content_type: string; declared?: string },
  depth = 0,
): Promise<Reading> {
  const read = Object.hasOwn(READERS, content_type) ? READERS[content_type] : undefined;
  if (!read) throw new UnreadableError(`files of the type ${content_type} are not read`);
  const input = { bytes, declared, depth };
  try {
    return await read(input);
  } catch (error) {
    if (!(error instanceof UnreadableError) || !IS_TEXT.test(content_type)) throw error;
    return { text: textOf(input), found: { kind: "text", content_type: "text/plain" } };
  }
}

/** Reads a file inside another one. */
async function readAttached(bytes: Uint8Array, { kind, content_type }: Sniffed, depth: number): Promise<Reading> {
  switch (kind) {
    case "text":
    case "markdown":
      return { text: decodeText(bytes) };
    case "code":
      return { text: `\`\`\`\n${decodeText(bytes)}\n\`\`\`` };
    case "html": {
      const { readHtml } = await import("./html.ts");
      return readHtml(decodeText(bytes, { html: true }), { page: false });
    }
    case "pdf": {
      const { readPdf } = await import("./pdf.ts");
      const { pages, characters, timeMs } = PDF_LIMITS;
      return readPdf(bytes, { pages, characters, deadline: performance.now() + timeMs / 10 });
    }
    default:
      return readDocument(bytes, { content_type }, depth);
  }
}
