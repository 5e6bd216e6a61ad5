import type { JobTurn } from "../jobs/handler.ts";
import { loadContent, type StoredContent, storeContent } from "../memory/content.ts";
import type { OrgHome } from "../platform/context.ts";
import { decodeStream } from "./extraction/charset.ts";
import type { Reading, ReadingJob } from "./extraction/jobs.ts";
import { readApart } from "./extraction/read-apart.ts";
import { ZIP } from "./extraction/sniff.ts";
import { Unreadable } from "./extraction/unreadable.ts";
import type { FileKind, FileReading, Ingestion, SourceFile } from "./source.ts";

/** Longest files that are read as a whole, in bytes; plain text is read part by part, whatever its length. */
const MAX_BYTES = { html: 5 * 1024 * 1024, other: 50 * 1024 * 1024, structured: 20 * 1024 * 1024 } as const;
/** Formats of text. A longer file is read as plain text. */
const STRUCTURED_TEXT = /^(?:text\/(?:csv|vtt)|application\/(?:json|x-ipynb\+json|x-subrip))$/;
const PLAIN_KINDS: readonly FileKind[] = ["text", "markdown", "code"];
/** Whose headers are read alone. */
const MEDIA_KINDS: readonly FileKind[] = ["image", "audio"];
/** So much of a picture or a recording holds its headers, unless it is an odd one. */
const HEADER_BYTES = 5 * 1024 * 1024;

/** What an ingestion brings: text in parts, none for a file that has no text. */
export interface Material {
  text: AsyncIterable<string>;
  title?: string | undefined;
  file?: SourceFile;
}

type Reader = Pick<OrgHome, "org" | "ports">;

/** Opens what an ingestion reads. Throws Unreadable. */
export async function openMaterial(owner: Reader, { content, reading }: Ingestion): Promise<Material> {
  if ("text" in content) return { title: content.title, text: partsOf(owner, content.text) };
  const details = reading?.details === undefined ? {} : { details: reading.details };
  const file = { ...content.file, ...reading?.found, ...details };
  if (reading) return { file, title: reading.title, text: partsOf(owner, reading.text) };
  if (isPlainText(file)) return { file, text: await partsOfBlob(owner, file) };
  if (MEDIA_KINDS.includes(file.kind)) return { file: await described(owner, file), text: nothing() };
  return { file, text: nothing() };
}

type FileType = Pick<SourceFile, "kind" | "content_type" | "bytes">;

function isPlainText({ kind, content_type, bytes }: FileType): boolean {
  if (STRUCTURED_TEXT.test(content_type)) return bytes > MAX_BYTES.structured;
  return PLAIN_KINDS.includes(kind);
}

/** Whether a file is read for its text, rather than kept as it is. Of archives only their content tells. */
export function isRead({ kind, content_type }: Pick<SourceFile, "kind" | "content_type">): boolean {
  return !MEDIA_KINDS.includes(kind) && (kind !== "attachment" || content_type === ZIP);
}

async function* nothing(): AsyncGenerator<string> {}

async function* partsOf(owner: Reader, stored: StoredContent): AsyncGenerator<string> {
  yield await loadContent(owner, stored);
}

async function partsOfBlob({ ports }: Reader, { blob, declared_type }: SourceFile): Promise<AsyncIterable<string>> {
  const opened = await ports.blobs.open(blob);
  if (!opened) throw new Unreadable("its file is gone");
  return decodeStream(opened.parts, { declared: declared_type });
}

/** Whether a file's text must be found in it first. */
export function needsReading({ content, reading }: Ingestion): boolean {
  if (!("file" in content) || reading !== undefined || isPlainText(content.file)) return false;
  const { kind, bytes } = content.file;
  return isRead(content.file) && (kind !== "attachment" || bytes <= MAX_BYTES.other);
}

/** Finds the text of a file and notes it, so that nobody has to again. Throws Unreadable, Superseded. */
export async function readFile(owner: Reader, turn: JobTurn<"ingest_source">, given?: Uint8Array): Promise<void> {
  const { file } = turn.job.input.content as { file: SourceFile };
  const most = file.kind === "html" ? MAX_BYTES.html : MAX_BYTES.other;
  if (file.bytes > most) throw new Unreadable(`it is longer than ${most} bytes`);
  const bytes = given ?? (await owner.ports.blobs.get(file.blob))?.bytes;
  if (!bytes) throw new Unreadable("its file is gone");
  const { text = "", ...found } = await findText(owner, file, bytes);
  const stored = await storeContent(owner, `${file.blob}.text`, text.toWellFormed());
  const reading: FileReading = { ...found, text: stored };
  await turn.save({ checkpoint: { ...turn.job.checkpoint, reading } });
}

type FoundText = Pick<Reading, "text" | "title" | "details" | "found">;

/** An archive that is no document is kept as it is where it cannot be opened. */
async function findText(owner: Reader, file: SourceFile, bytes: Uint8Array): Promise<FoundText> {
  try {
    return await readApart(readingJobOf(file, bytes), owner);
  } catch (error) {
    if (error instanceof Unreadable && file.kind === "attachment") return {};
    throw error;
  }
}

function readingJobOf({ kind, content_type, declared_type: declared = "" }: SourceFile, bytes: Uint8Array): ReadingJob {
  if (kind === "pdf") return { kind, bytes };
  if (kind === "html") return { kind, bytes, declared, page: false };
  return { kind: "document", bytes, content_type, declared };
}

/** A file whose headers tell nothing is kept all the same, as any other without text. */
async function described(owner: Reader, file: SourceFile): Promise<SourceFile> {
  const bytes = await headOf(owner.ports.blobs, file);
  const { content_type, bytes: size } = file;
  try {
    const { details } = await readApart(
      file.kind === "image" ? { kind: "image", bytes } : { kind: "audio", bytes, content_type, size },
      owner,
    );
    return details === undefined ? file : { ...file, details };
  } catch (error) {
    if (error instanceof Unreadable) return file;
    throw error;
  }
}

async function headOf(blobs: OrgHome["ports"]["blobs"], { blob }: SourceFile): Promise<Uint8Array> {
  const opened = await blobs.open(blob);
  if (!opened) throw new Unreadable("its file is gone");
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of opened.parts) {
    parts.push(part);
    length += part.byteLength;
    if (length >= HEADER_BYTES) break;
  }
  return Buffer.concat(parts);
}
