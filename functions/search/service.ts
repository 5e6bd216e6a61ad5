import type * as z from "zod";
import { type PageRequest, pagination } from "../../shared/kernel/pagination.ts";
import type { Context } from "../../shared/platform/context.ts";
import type { Ranked } from "../../shared/retrieval/fusion.ts";
import { highlight } from "../../shared/retrieval/highlight.ts";
import { retrieve } from "../../shared/retrieval/retrieve.ts";
import { analyse } from "../../shared/retrieval/text.ts";
import { readFilters } from "./filters.ts";
import { analyseQuery, checkQuery } from "./query.ts";
import type * as schemas from "./schemas.ts";

type Input<Schema extends z.ZodType> = z.output<Schema>;

/** How much plain search believes meaning and words. */
const PLAIN_WEIGHTS = { semantic: 1, keyword: 1 };

/** `GET /search`: what the words and the meaning of a query find, best first. */
export async function searchSimply(ctx: Context, input: Input<typeof schemas.SimpleSearch>) {
  const startedAt = ctx.clock();
  const { q, user_id, category, type, threshold, limit, offset } = input;
  const query = checkQuery(q);
  const filters = readFilters({ user_id, category, type });
  const found = await retrieve(ctx, { query, filters, weights: PLAIN_WEIGHTS, depth: offset + limit + 1 });
  const relevant = found.filter(({ score }) => score >= threshold);
  return {
    query,
    results: cut(relevant, { limit, offset }).map((hit) => ({
      ...present(hit, input),
      highlight: highlight(hit.document.content, query),
    })),
    pagination: pagination({ limit, offset }, relevant.length, relevant.length > offset + limit),
    search_metadata: {
      query_tokens: analyse(query).length,
      processing_time_ms: ctx.clock() - startedAt,
      similarity_threshold_used: threshold,
    },
  };
}

/** `POST /search`: the same with more filters, other orders and an account of how the query was understood. */
export async function searchFiltered(
  ctx: Context,
  { query: given, filters, options }: Input<typeof schemas.FilteredSearch>,
) {
  const { limit, offset, threshold, sort, order } = options;
  const query = checkQuery(given);
  const [found, query_analysis] = await Promise.all([
    retrieve(ctx, { query, filters: readFilters(filters), weights: PLAIN_WEIGHTS, depth: offset + limit + 1 }),
    analyseQuery(query),
  ]);
  const relevant = found.filter(({ score }) => score >= threshold);
  const ordered =
    sort === "score" ? relevant : relevant.toSorted((a, b) => (a.document[sort] < b.document[sort] ? 1 : -1));
  if (order === "asc") ordered.reverse();
  return {
    query,
    results: cut(ordered, { limit, offset }).map((hit) => present(hit, options)),
    pagination: pagination({ limit, offset }, relevant.length, relevant.length > offset + limit),
    query_analysis,
  };
}

function cut<T>(all: T[], { limit, offset }: PageRequest): T[] {
  return all.slice(offset, offset + limit);
}

interface Included {
  include_content: boolean;
  include_metadata: boolean;
}

function present({ id, score, document }: Ranked, { include_content, include_metadata }: Included) {
  const { content, metadata, user_id, category, type, created_at, updated_at } = document;
  return {
    id,
    score,
    content: include_content ? content : undefined,
    user_id,
    category,
    type,
    created_at,
    updated_at,
    metadata: include_metadata ? metadata : undefined,
  };
}
