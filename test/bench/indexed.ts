import { MINUTE_MS } from "../../shared/kernel/durations.ts";
import type { SearchDocument } from "../../shared/ports/search-index.ts";
import type { Runtime } from "../../shared/runtime/context.ts";
import type { Generator } from "./corpus.ts";

const BATCH_SIZE = 1000;
/** Number of memories per conversation, one minute apart. */
const SESSION_LENGTH = 20;
const STARTED_AT = Date.UTC(2024, 0, 1);

/**
 * Indexes generated memories in sessions without storing them, with their capitalized words as entities, and returns
 * their texts by id. `from` is the number of memories that the organization already has.
 */
export async function indexMemories(
  { ports }: Pick<Runtime, "ports">,
  org: string,
  text: Generator,
  count: number,
  from = 0,
): Promise<Map<string, string>> {
  const contents = new Map(
    Array.from({ length: count }, (_, place) => [`mem_${String(from + place).padStart(8, "0")}`, text.memory()]),
  );
  const all = [...contents];
  for (let start = 0; start < count; start += BATCH_SIZE) {
    const batch = all.slice(start, start + BATCH_SIZE);
    const embeddings = await ports.embedder.embed(
      batch.map(([, content]) => content),
      { purpose: "passage" },
    );
    await ports.search.upsert(
      batch.flatMap(([id, content], place) => {
        const embedding = embeddings[place];
        return embedding ? [documentOf(org, id, content, from + start + place, embedding)] : [];
      }),
    );
  }
  return contents;
}

function documentOf(org: string, id: string, content: string, place: number, embedding: Float32Array): SearchDocument {
  const created_at = new Date(STARTED_AT + place * MINUTE_MS).toISOString();
  const names = new Set(content.match(/(?<=[a-z,] )[A-Z][a-z]+/g));
  return {
    org,
    id,
    version: 1,
    content,
    user_id: "bench",
    session_id: `session_${Math.floor(place / SESSION_LENGTH)}`,
    metadata: {},
    entity_ids: [...names].map((name) => `ent_${name}`),
    created_at,
    updated_at: created_at,
    original_tokens: 0,
    compressed_tokens: 0,
    processing_ms: 0,
    embedding,
  };
}
