import type { SQLInputValue } from "node:sqlite";
import type { Json, JsonObject, SearchDocument, SearchSource } from "../../ports.ts";

/** A row of `documents` but for its number, column by column. */
export function rowOf(document: SearchDocument): Record<string, SQLInputValue> {
  return {
    id: document.id,
    version: document.version,
    user_id: document.user_id ?? null,
    category: document.category ?? null,
    type: document.type ?? null,
    session_id: document.session_id ?? null,
    created_at: document.created_at,
    created_ms: Date.parse(document.created_at),
    updated_at: document.updated_at,
    expire_at: document.expire_at ?? null,
    expire_ms: document.expire_at === undefined ? null : Date.parse(document.expire_at),
    original_tokens: document.original_tokens,
    compressed_tokens: document.compressed_tokens,
    processing_ms: document.processing_ms,
    entity_ids: JSON.stringify(document.entity_ids),
    metadata: JSON.stringify(document.metadata),
    content: document.content,
  };
}

/** The document of a row of `documents`. */
export function sourceOf(org: string, row: Record<string, unknown>): SearchSource {
  const source: SearchSource = {
    org,
    id: String(row.id),
    version: Number(row.version),
    content: String(row.content),
    metadata: parsed<JsonObject>(row.metadata),
    entity_ids: parsed<string[]>(row.entity_ids),
    created_at: String(row.created_at),
    updated_at: String(row.updated_at),
    original_tokens: Number(row.original_tokens),
    compressed_tokens: Number(row.compressed_tokens),
    processing_ms: Number(row.processing_ms),
  };
  for (const name of ["user_id", "category", "type", "session_id", "expire_at"] as const) {
    if (row[name] !== null) source[name] = String(row[name]);
  }
  return source;
}

/** The vector's bytes as `vectors` holds them: float32, little endian as every machine that runs Node. */
export function bytesOf(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

/** The texts in these columns were written by `rowOf`. */
export function parsed<T extends Json>(text: unknown): T {
  return JSON.parse(String(text)) as T;
}
