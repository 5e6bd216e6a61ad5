import type { OrgRuntime } from "../../../runtime/context.ts";
import type { JobTurn } from "../../../runtime/jobs/handler.ts";
import { loadContent, type StoredContent, storeContent } from "../../memory/content.ts";
import { decodeStream } from "./extraction/charset.ts";
import type { Reading, ReadingJob } from "./extraction/jobs.ts";
import { readIsolated } from "./extraction/read-isolated.ts";
import { ZIP } from "./extraction/sniff.ts";
import { UnreadableError } from "./extraction/unreadable.ts";
import type { FileKind, FileReading, Ingestion, SourceFile } from "./source.ts";

/** Maximum bytes of files read as a whole; plain text is streamed, whatever its length. */
const MAX_BYTES = { html: 5 * 1024 * 1024, other: 50 * 1024 * 1024, structured: 20 * 1024 * 1024 } as const;
/** Text formats. A longer file is read as plain text. */
const STRUCTURED_TEXT = /^(?:text\/(?:csv|vtt|calendar|vcard)|application\/(?:json|xml|x-ipynb\+json|x-subrip))$/;
const PLAIN_KINDS: readonly FileKind[] = ["text", "markdown", "code"];
/** File kinds of which only headers are read. */
const MEDIA_KINDS: readonly FileKind[] = ["image", "audio"];
/** File kinds that are kept without text if unreadable. */
const KEPT_KINDS: readonly FileKind[] = ["image", "attachment"];
/** Bytes of an image or a recording that usually contain its headers. */
const HEADER_BYTES = 5 * 1024 * 1024;

/** The input of an ingestion: streamed text, none for a file without text. */
export interface Material {
  text: AsyncIterable<string>;
  title?: string | undefined;
  file?: SourceFile;
}

type Reader = Pick<OrgRuntime, "org" | "ports" | "config">;

/** Opens the input of an ingestion. Throws UnreadableError. */
export async function openMaterial(owner: Reader, { content, reading }: Ingestion): Promise<Material> {
  if ("text" in content) return { title: content.title, text: partsOf(owner, content.text) };
  const details = reading?.details === undefined ? {} : { details: reading.details };
  const file = { ...content.file, ...reading?.found, ...details };
  if (reading) return { file, title: reading.title, text: partsOf(owner, reading.text) };
  if (isPlainText(file)) return { file, text: await partsOfBlob(owner, file) };
  if (MEDIA_KINDS.includes(file.kind)) return { file: await withDetails(owner, file), text: noText() };
  return { file, text: noText() };
}

function isPlainText({ kind, content_type, bytes }: Pick<SourceFile, "kind" | "content_type" | "bytes">): boolean {
  if (STRUCTURED_TEXT.test(content_type)) return bytes > MAX_BYTES.structured;
  return PLAIN_KINDS.includes(kind);
}

/** Whether a file's text is read: an image only with OCR. Archives are known only by their content. */
export function isRead(
  { config }: Pick<Reader, "config">,
  { kind, content_type }: Pick<SourceFile, "kind" | "content_type">,
): boolean {
  if (kind === "image") return config.OCR !== undefined;
  return !MEDIA_KINDS.includes(kind) && (kind !== "attachment" || content_type === ZIP);
}

async function* noText(): AsyncGenerator<string> {}

async function* partsOf(owner: Reader, stored: StoredContent): AsyncGenerator<string> {
  yield await loadContent(owner, stored);
}

async function partsOfBlob({ ports }: Reader, { blob, declared_type }: SourceFile): Promise<AsyncIterable<string>> {
  const opened = await ports.blobs.open(blob);
  if (!opened) throw new UnreadableError("its file was deleted");
  return decodeStream(opened.parts, { declared: declared_type, strict: true });
}

/** Whether a file's text must first be extracted. */
export function needsReading(owner: Reader, { content, reading }: Ingestion): boolean {
  if (!("file" in content) || reading !== undefined || isPlainText(content.file)) return false;
  const { kind, bytes } = content.file;
  return isRead(owner, content.file) && (!KEPT_KINDS.includes(kind) || bytes <= MAX_BYTES.other);
}

/** Extracts and stores the text of a file, once. Throws UnreadableError, StaleJobError. */
export async function readFile(owner: Reader, turn: JobTurn<"ingest_source">, given?: Uint8Array): Promise<void> {
  const { file } = turn.job.input.content as { file: SourceFile };
  const maxBytes = file.kind === "html" ? MAX_BYTES.html : MAX_BYTES.other;
  if (file.bytes > maxBytes) throw new UnreadableError(`it is longer than ${maxBytes} bytes`);
  const bytes = given ?? (await owner.ports.blobs.get(file.blob))?.bytes;
  if (!bytes) throw new UnreadableError("its file was deleted");
  const { text = "", ...found } = await findText(owner, file, bytes);
  const stored = await storeContent(owner, `${file.blob}.text`, text.toWellFormed());
  const reading: FileReading = { ...found, text: stored };
  await turn.save({ checkpoint: { ...turn.job.checkpoint, reading } });
}

type FoundText = Pick<Reading, "text" | "title" | "details" | "found">;

/** Extracts the text. An image, or an archive that is not a document, is kept even if it cannot be opened. */
async function findText(owner: Reader, file: SourceFile, bytes: Uint8Array): Promise<FoundText> {
  try {
    return await readWithOcr(owner, readingJobOf(owner, file, bytes));
  } catch (error) {
    if (error instanceof UnreadableError && KEPT_KINDS.includes(file.kind)) return {};
    throw error;
  }
}

/** Reads a file with OCR, or without it if that fails, so that OCR makes no file unreadable. */
async function readWithOcr(owner: Reader, job: ReadingJob): Promise<FoundText> {
  if (!("ocr" in job) || job.ocr === undefined) return readIsolated(job, owner);
  try {
    return await readIsolated(job, owner);
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    return readIsolated({ ...job, ocr: undefined }, owner);
  }
}

function readingJobOf(
  { config: { OCR, OCR_LANGUAGE: language } }: Reader,
  { kind, content_type, declared_type: declared = "" }: SourceFile,
  bytes: Uint8Array,
): ReadingJob {
  const ocr = OCR && { engine: OCR, language };
  if (kind === "pdf" || kind === "image") return { kind, bytes, ocr };
  if (kind === "html") return { kind, bytes, declared, page: false };
  return { kind: "document", bytes, content_type, declared };
}

/** Adds details from the file's headers; if they are unreadable, the file is kept without details. */
async function withDetails(owner: Reader, file: SourceFile): Promise<SourceFile> {
  const bytes = await readHeader(owner.ports.blobs, file);
  const { content_type, bytes: size } = file;
  try {
    const { details } = await readIsolated(
      file.kind === "image" ? { kind: "image", bytes } : { kind: "audio", bytes, content_type, size },
      owner,
    );
    return details === undefined ? file : { ...file, details };
  } catch (error) {
    if (error instanceof UnreadableError) return file;
    throw error;
  }
}

/** Returns at least the first `HEADER_BYTES` of a file, or all of a shorter one. */
async function readHeader(blobs: OrgRuntime["ports"]["blobs"], { blob }: SourceFile): Promise<Uint8Array> {
  const opened = await blobs.open(blob);
  if (!opened) throw new UnreadableError("its file was deleted");
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of opened.parts) {
    parts.push(part);
    length += part.byteLength;
    if (length >= HEADER_BYTES) break;
  }
  return Buffer.concat(parts);
}
