import { createHash, type Hash } from "node:crypto";
import { pipeline, Readable } from "node:stream";
import { createGzip } from "node:zlib";
import { sha256 } from "../../../kernel/digest.ts";
import type { ArchiveEntry, ArchiveHeader, ArchiveManifest } from "./format.ts";
import type { ArchiveKeys } from "./keys.ts";

/** Approximate size of text chunks; no more is kept in memory. */
const PART_BYTES = 256 * 1024;

/** The number, size and hash of each component's lines so far. */
export type Summaries = Map<string, { lines: number; bytes: number; hash: Hash }>;

/** Counts of the entries for the manifest. */
export type ArchiveCounts = Pick<ArchiveManifest, "records" | "blobs" | "left_out">;

export interface ArchiveSource {
  header: ArchiveHeader;
  /** Can be iterated once. */
  entries: AsyncIterable<ArchiveEntry>;
  /** Final counts; they are read after the last entry. */
  counts: ArchiveCounts;
  keys?: ArchiveKeys;
  now: () => string;
  onManifest: (manifest: ArchiveManifest) => void;
}

/** Yields the text of an archive in chunks: header, entries as they arrive, and their manifest. */
export async function* archiveText(source: ArchiveSource): AsyncGenerator<Buffer> {
  const { header, entries, counts, keys, now, onManifest } = source;
  const summaries: Summaries = new Map();
  const first = `${JSON.stringify(header)}\n`;
  let chunk: Buffer[] = [Buffer.from(first)];
  let size = 0;
  for await (const entry of entries) {
    const line = Buffer.from(`${JSON.stringify(entry)}\n`);
    addLine(summaries, entry.component, line);
    chunk.push(line);
    size += line.byteLength;
    if (size < PART_BYTES) continue;
    yield Buffer.concat(chunk);
    [chunk, size] = [[], 0];
  }
  const manifest: ArchiveManifest = {
    header_sha256: sha256(first),
    completed_at: now(),
    components: summarize(summaries),
    ...counts,
  };
  onManifest(manifest);
  const mac = keys?.mac(JSON.stringify(manifest));
  yield Buffer.concat([...chunk, Buffer.from(`${JSON.stringify({ manifest, mac })}\n`)]);
}

export function addLine(summaries: Summaries, component: ArchiveEntry["component"], line: Buffer): void {
  const summary = summaries.get(component) ?? { lines: 0, bytes: 0, hash: createHash("sha256") };
  summaries.set(component, summary);
  summary.lines += 1;
  summary.bytes += line.byteLength;
  summary.hash.update(line);
}

function summarize(summaries: Summaries): ArchiveManifest["components"] {
  return Object.fromEntries(
    [...summaries].map(([name, { lines, bytes, hash }]) => [name, { lines, bytes, sha256: hash.digest("hex") }]),
  );
}

/** Yields a text gzipped. Errors of the text become errors of the result. */
export async function* gzipped(text: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gzip = createGzip();
  // Errors reach the reader of `gzip`; this only ends both streams together.
  pipeline(Readable.from(text), gzip, () => undefined);
  yield* gzip;
}

/** Passes chunks through, and computes their total size and SHA-256. */
export class Measured {
  bytes = 0;
  readonly #hash = createHash("sha256");

  async *through(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const part of parts) {
      this.#hash.update(part);
      this.bytes += part.byteLength;
      yield part;
    }
  }

  sha256(): string {
    return this.#hash.digest("hex");
  }
}
