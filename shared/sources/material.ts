import type { JobTurn } from "../jobs/handler.ts";
import { loadContent, type StoredContent, storeContent } from "../memory/content.ts";
import type { OrgHome } from "../platform/context.ts";
import { decodeStream } from "./extraction/charset.ts";
import { readApart } from "./extraction/read-apart.ts";
import { Unreadable } from "./extraction/unreadable.ts";
import type { FileReading, Ingestion, SourceFile } from "./source.ts";

/** Longest files that are read as a whole; text is read part by part, whatever its length. */
const MAX_BYTES = { html: 5 * 1024 * 1024, pdf: 50 * 1024 * 1024 } as const;
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
  const file = reading?.details === undefined ? content.file : { ...content.file, details: reading.details };
  if (reading) return { file, title: reading.title, text: partsOf(owner, reading.text) };
  if (file.kind === "text" || file.kind === "markdown") return { file, text: await partsOfBlob(owner, file) };
  if (file.kind === "image" || file.kind === "audio") return { file: await described(owner, file), text: nothing() };
  return { file, text: nothing() };
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
  return "file" in content && reading === undefined && (content.file.kind === "html" || content.file.kind === "pdf");
}

/** Finds the text of a file and notes it, so that nobody has to again. Throws Unreadable, Superseded. */
export async function readFile(owner: Reader, turn: JobTurn<"ingest_source">, given?: Uint8Array): Promise<void> {
  const { file } = turn.job.input.content as { file: SourceFile };
  if (file.kind !== "html" && file.kind !== "pdf") return;
  if (file.bytes > MAX_BYTES[file.kind]) throw new Unreadable(`it is longer than ${MAX_BYTES[file.kind]} bytes`);
  const bytes = given ?? (await owner.ports.blobs.get(file.blob))?.bytes;
  if (!bytes) throw new Unreadable("its file is gone");
  const { text = "", ...found } = await readApart(
    file.kind === "pdf"
      ? { kind: "pdf", bytes }
      : { kind: "html", bytes, declared: file.declared_type ?? "", page: false },
    owner,
  );
  const stored = await storeContent(owner, `${file.blob}.text`, text.toWellFormed());
  const reading: FileReading = { ...found, text: stored };
  await turn.save({ checkpoint: { ...turn.job.checkpoint, reading } });
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
