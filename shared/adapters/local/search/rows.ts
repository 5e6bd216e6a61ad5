import type { SQLInputValue } from "node:sqlite";
import { occurredMs } from "../../../kernel/event-time.ts";
import type { SearchDocument, SearchSource } from "../../../ports/search-index.ts";

/** The columns of `documents` for filters, counts and sums. */
export function columnsOf(document: SearchDocument): Record<string, SQLInputValue> {
  return {
    id: document.id,
    version: document.version,
    user_id: document.user_id ?? null,
    category: document.category ?? null,
    type: document.type ?? null,
    session_id: document.session_id ?? null,
    created_ms: Date.parse(document.created_at),
    occurred_ms: occurredMs(document),
    updated_ms: Date.parse(document.updated_at),
    expire_ms: document.expire_at === undefined ? null : Date.parse(document.expire_at),
    original_tokens: document.original_tokens,
    compressed_tokens: document.compressed_tokens,
    processing_ms: document.processing_ms,
  };
}

/** The stored form of a document in `sources`. */
export function sourceText({ embedding: _, ...source }: SearchDocument): string {
  return JSON.stringify(source satisfies SearchSource);
}

/** The document of a text that `sourceText` returned. */
export function parseSource(text: unknown): SearchSource {
  return JSON.parse(String(text)) as SearchSource;
}

/** The vector of bytes that `bytesOf` returned, sharing their memory if aligned. */
export function vectorOfBytes(bytes: Uint8Array): Float32Array {
  const { buffer, byteOffset, byteLength } =
    bytes.byteOffset % Float32Array.BYTES_PER_ELEMENT === 0 ? bytes : bytes.slice();
  return new Float32Array(buffer, byteOffset, byteLength / Float32Array.BYTES_PER_ELEMENT);
}

/** The vector's bytes as stored in `vectors`: float32, little endian, as on every platform of Node. */
export function bytesOf(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}
