import type * as z from "zod";
import type { Judged } from "../../shared/facts/current-first.ts";
import { eventTimeOf, occurredMs } from "../../shared/kernel/event-time.ts";
import type { PageRequest } from "../../shared/kernel/pagination.ts";
import type { DocumentOrder, Json, JsonObject, SearchSource } from "../../shared/platform/ports.ts";
import type { Ranked } from "../../shared/retrieval/fusion.ts";
import { chunkPlaceOf } from "../../shared/sources/chunk-ids.ts";

/** What a verb takes: a request as its schema has it. */
export type Input<Schema extends z.ZodType> = z.output<Schema>;

/** Scores of a hit, and dates of its memory. */
type Sortable = "score" | "boosted_score" | DocumentOrder;

/** Highest first unless `order` is `asc`; equals as they were. */
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

/** A time of a document, in epoch milliseconds. */
export function timeOf(document: SearchSource, field: DocumentOrder): number {
  return field === "occurred_at" ? occurredMs(document) : Date.parse(document[field]);
}

/** The hits of one page. */
export function cut<T>(all: T[], { limit, offset }: PageRequest): T[] {
  return all.slice(offset, offset + limit);
}

/** What of a memory an answer holds. */
export interface Included {
  include_content: boolean;
  include_metadata: boolean;
}

/** What every search tells of a memory it found. */
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

/** Where a chunk of a source is from; undefined for any other memory. */
function sourceOf(id: string, { title, url }: JsonObject) {
  const place = chunkPlaceOf(id);
  if (place === undefined) return undefined;
  const asText = (value: Json | undefined) => (typeof value === "string" ? value : undefined);
  return { id: place.source_id, title: asText(title), url: asText(url), position: place.position };
}
