import type { FileKind } from "../source.ts";
import { Archive } from "./archive.ts";
import type { Reading } from "./jobs.ts";
import type { MarkdownWriter } from "./markdown-writer.ts";
import { readXml } from "./xml.ts";

interface Format {
  kind: FileKind;
  content_type: string;
  read: (archive: Archive) => Promise<{ writer: MarkdownWriter; title?: string }>;
}

const MAX_TITLE_LENGTH = 300;
const OPEN_XML = "application/vnd.openxmlformats-officedocument.";
const OPEN_DOCUMENT = "application/vnd.oasis.opendocument.";
const EPUB = "application/epub+zip";

const odf = (kind: FileKind, content_type: string): Format => ({
  kind,
  content_type,
  read: async (archive) => ({ writer: await (await import("./odf.ts")).readOdf(archive) }),
});

/** Archive formats by a file that only they contain. */
const BY_FILE: { readonly [name: string]: Format } = {
  "word/document.xml": {
    kind: "document",
    content_type: `${OPEN_XML}wordprocessingml.document`,
    read: async (archive) => ({ writer: await (await import("./docx.ts")).readDocx(archive) }),
  },
  "ppt/presentation.xml": {
    kind: "presentation",
    content_type: `${OPEN_XML}presentationml.presentation`,
    read: async (archive) => ({ writer: await (await import("./pptx.ts")).readPptx(archive) }),
  },
  "xl/workbook.xml": {
    kind: "spreadsheet",
    content_type: `${OPEN_XML}spreadsheetml.sheet`,
    read: async (archive) => ({ writer: await (await import("./xlsx.ts")).readXlsx(archive) }),
  },
};

/** Archive formats by their `mimetype` file. */
const BY_MIMETYPE: { readonly [content_type: string]: Format } = {
  [`${OPEN_DOCUMENT}text`]: odf("document", `${OPEN_DOCUMENT}text`),
  [`${OPEN_DOCUMENT}presentation`]: odf("presentation", `${OPEN_DOCUMENT}presentation`),
  [`${OPEN_DOCUMENT}spreadsheet`]: odf("spreadsheet", `${OPEN_DOCUMENT}spreadsheet`),
  [EPUB]: { kind: "book", content_type: EPUB, read: async (archive) => (await import("./epub.ts")).readEpub(archive) },
};

/** Reads an office file or a book by its content; other archives are attachments only. Throws UnreadableError. */
export async function readOffice(bytes: Uint8Array): Promise<Reading> {
  const archive = await Archive.open(bytes);
  const format = await formatOf(archive);
  if (!format) return { text: "", found: { kind: "attachment", content_type: "application/zip" } };
  const { kind, content_type } = format;
  const { writer, title = await titleOf(archive) } = await format.read(archive);
  return {
    text: writer.text,
    ...(title !== "" && { title: title.slice(0, MAX_TITLE_LENGTH) }),
    ...(writer.isCut && { details: { text_cut: true } }),
    found: { kind, content_type },
  };
}

async function formatOf(archive: Archive): Promise<Format | undefined> {
  const file = Object.keys(BY_FILE).find((name) => archive.has(name));
  if (file !== undefined) return BY_FILE[file];
  const mimetype = await archive.read("mimetype");
  const contentType = mimetype && new TextDecoder("latin1").decode(mimetype.subarray(0, MAX_TITLE_LENGTH)).trim();
  return contentType !== undefined && Object.hasOwn(BY_MIMETYPE, contentType) ? BY_MIMETYPE[contentType] : undefined;
}

/** The title in the document's properties. */
async function titleOf(archive: Archive): Promise<string> {
  const bytes = (await archive.read("docProps/core.xml")) ?? (await archive.read("meta.xml"));
  let title = "";
  readXml(bytes, {
    textIn: ["title"],
    text: (text) => {
      title += text;
    },
  });
  return title.trim();
}
