import type { Home } from "../platform/context.ts";
import type { SearchDocument } from "../platform/ports.ts";
import type { Memory } from "./memory.ts";
import { viewersOf } from "./visibility.ts";

/** What the search index holds of memories, one document a revision. */
export async function toDocuments(
  { ports, clock }: Pick<Home, "ports" | "clock">,
  memories: Memory[],
): Promise<SearchDocument[]> {
  if (memories.length === 0) return [];
  const embeddings = await ports.embedder.embed(
    memories.map(({ content }) => content),
    { purpose: "passage" },
  );
  return memories.flatMap((memory, place) => {
    const embedding = embeddings[place];
    return embedding ? [toDocument(memory, embedding, clock())] : [];
  });
}

function toDocument(memory: Memory, embedding: Float32Array, now: number): SearchDocument {
  const { org, id, content, user_id, category, categories, type, labels, metadata } = memory;
  const { created_at, updated_at, expire_at } = memory;
  const session = metadata.session_id;
  const viewers = viewersOf(memory, now);
  return {
    org,
    id,
    version: memory.revision,
    content,
    user_id,
    category,
    categories,
    type,
    labels,
    metadata,
    entity_ids: memory.entities.map((entity) => entity.id),
    session_id: typeof session === "string" ? session : undefined,
    viewers: viewers.length === 0 ? undefined : viewers.map(({ agent, until }) => ({ agent, until })),
    created_at,
    updated_at,
    expire_at,
    ratings: ratingsOf(memory),
    original_tokens: memory.compression.original_tokens,
    compressed_tokens: memory.compression.compressed_tokens,
    processing_ms: memory.processing_ms,
    embedding,
  };
}

function ratingsOf({ feedback_count: count, feedback_sum: sum }: Memory): SearchDocument["ratings"] {
  return count === 0 ? undefined : { count, mean: sum / count };
}
