import { withoutRecalled } from "../../language/statements/recalled.ts";
import type { SearchSource } from "../../ports/search-index.ts";
import type { Runtime } from "../../runtime/context.ts";
import { embedDocuments } from "../models/embed-documents.ts";
import { ratingsOf } from "./feedback.ts";
import type { Memory } from "./memory.ts";
import { viewersOf } from "./visibility.ts";

/** Returns the search documents of memories. A document's version is the memory's revision. */
export async function toDocuments({ ports, clock }: Pick<Runtime, "ports" | "clock">, memories: Memory[]) {
  const now = clock();
  const sources = memories.map((memory) => toSource(memory, now));
  return embedDocuments(ports, sources);
}

/** Returns the question and the answer, without what the service itself wrote; undefined if it is the content. */
function indexedText({ content, in_reply_to }: Memory): string | undefined {
  const own = withoutRecalled(content);
  if (in_reply_to !== undefined) return `${in_reply_to}\n${own.trim()}`;
  return own === content ? undefined : own.trim();
}

function toSource(memory: Memory, now: number): SearchSource {
  const { org, id, content, speaker, in_reply_to, user_id, category, categories, type, labels, metadata } = memory;
  const { occurred_at, created_at, updated_at, expire_at, compression } = memory;
  const session = metadata.session_id;
  const viewers = viewersOf(memory, now);
  return {
    ...{ org, id, version: memory.revision, content, indexed_text: indexedText(memory), speaker, in_reply_to },
    ...{ user_id, category, categories, type, labels, metadata },
    ...{ occurred_at, created_at, updated_at, expire_at, processing_ms: memory.processing_ms },
    entity_ids: memory.entities.map((entity) => entity.id),
    session_id: typeof session === "string" ? session : undefined,
    viewers: viewers.length === 0 ? undefined : viewers.map(({ agent, until }) => ({ agent, until })),
    ratings: ratingsOf(memory),
    original_tokens: compression.original_tokens,
    compressed_tokens: compression.compressed_tokens,
  };
}
