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
