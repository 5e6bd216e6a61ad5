import { chunkLocationOf } from "../../shared/domain/memory/chunk-ids.ts";
import type { Judged } from "../../shared/domain/retrieval/current-first.ts";
import type { Ranked } from "../../shared/domain/retrieval/ranking/fusion.ts";
import { eventTimeOf, occurredMs } from "../../shared/kernel/event-time.ts";
import type { PageRequest } from "../../shared/kernel/pagination.ts";
import type { Json, JsonObject } from "../../shared/ports/json.ts";
import type { DocumentOrder, SearchSource } from "../../shared/ports/search-index.ts";

/** Fields to sort hits by: their scores and the dates of their memories. */
type Sortable = "score" | "boosted_score" | DocumentOrder;

/** Returns hits sorted by a field, lowest first if `order` is `asc`, otherwise highest first; ties keep their order. */
export function inOrder<Hit extends Ranked & { boosted_score?: number }>(
  hits: Hit[],
  field: Sortable,
  order: "asc" | "desc",
): Hit[] {
  const sortKey = (hit: Hit) => {
    if (field === "score") return hit.score;
    if (field === "boosted_score") return hit.boosted_score ?? hit.score;
    return timeOf(hit.document, field);
  };
  return hits.toSorted((a, b) => (order === "asc" ? sortKey(a) - sortKey(b) : sortKey(b) - sortKey(a)));
}

/** Returns a time of a document in epoch milliseconds. */
export function timeOf(document: SearchSource, field: DocumentOrder): number {
  return field === "occurred_at" ? occurredMs(document) : Date.parse(document[field]);
}

/** Returns the items of one page. */
export function cut<T>(all: T[], { limit, offset }: PageRequest): T[] {
  return all.slice(offset, offset + limit);
}

/** Optional parts of a memory in responses. */
export interface Included {
  include_content: boolean;
  include_metadata: boolean;
}

/** Returns the response fields of a found memory that all searches have. */
export function present(
  { id, document, superseded_by }: Judged<Pick<Ranked, "id" | "document">>,
  included: Included,
  now: number,
) {
  const { content, metadata, user_id, category, type, created_at, updated_at } = document;
  return {
    id,
    content: included.include_content ? content : undefined,
    user_id,
    category,
    type,
    ...eventTimeOf(document, now),
    created_at,
    updated_at,
    metadata: included.include_metadata ? metadata : undefined,
    superseded_by,
    source: sourceOf(id, metadata),
  };
}

/** Returns the source of a memory that is a source's chunk; undefined for other memories. */
function sourceOf(id: string, { title, url }: JsonObject) {
  const chunk = chunkLocationOf(id);
  if (chunk === undefined) return undefined;
  const asText = (value: Json | undefined) => (typeof value === "string" ? value : undefined);
  return { id: chunk.source_id, title: asText(title), url: asText(url), position: chunk.position };
}
