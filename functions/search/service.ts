import { revealHits } from "../../shared/domain/memory/reveal-secrets.ts";
import { currentFirst, type Judged } from "../../shared/domain/retrieval/current-first.ts";
import { highlighter } from "../../shared/domain/retrieval/highlight.ts";
import type { Ranked } from "../../shared/domain/retrieval/ranking/fusion.ts";
import { runSearch } from "../../shared/domain/retrieval/run-search.ts";
import { retrieveShown } from "../../shared/domain/retrieval/shown.ts";
import { vectorState } from "../../shared/domain/retrieval/wire.ts";
import { pick } from "../../shared/kernel/objects.ts";
import { pagination } from "../../shared/kernel/pagination.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import type { Query } from "../../shared/language/questions/query.ts";
import type { Context } from "../../shared/runtime/context.ts";
import { readFilters } from "./filters.ts";
import { analyseQuery } from "./query.ts";
import * as schemas from "./schemas.ts";
import { cut, type Included, inOrder, present } from "./search.ts";

/** `GET /search`: the memories that a query finds by keywords and meaning, best first. */
export async function searchByQuery(ctx: Context, input: Input<typeof schemas.SimpleSearch>) {
  const startedAt = ctx.clock();
  const { as_of: asOf, current_only, offset } = input;
  const filters = readFilters(pick(input, schemas.FILTERS_IN_QUERY));
  return runSearch(ctx, "semantic", input.q, async ({ query, defaults, signal }) => {
    const { limit = defaults.limit, threshold } = input;
    const retrieval = { query, filters, now: input.now, asOf, signal };
    const { found, shown: hits, minScore } = await retrieveShown(ctx, retrieval, { threshold, defaults });
    const { ranked: allHits, slots } = found;
    const options = { query, allHits, slots, asOf, currentOnly: current_only, filters, signal };
    const relevant = await currentFirst(ctx, hits, options);
    const shown = await revealHits(ctx, filters, cut(relevant, { limit, offset }));
    const answer = {
      query: query.text,
      results: presentMatches(shown, query, input, ctx.clock()),
      pagination: pagination({ limit, offset }, relevant.length, relevant.length > offset + limit),
      search_metadata: {
        query_tokens: query.termList.length,
        processing_time_ms: ctx.clock() - startedAt,
        similarity_threshold_used: minScore,
        ...vectorState(found),
      },
    };
    return { answer, shown };
  });
}

/** `POST /search`: the same with more filters, sort orders and the analysis of the query. */
export async function searchFiltered(ctx: Context, input: Input<typeof schemas.FilteredSearch>) {
  const filters = readFilters(input.filters);
  const { as_of: asOf, current_only } = input;
  const { offset, sort, order } = input.options;
  return runSearch(ctx, "semantic", input.query, async ({ query, defaults, signal }) => {
    const { limit = defaults.limit, threshold } = input.options;
    const retrieval = { query, filters, now: input.now, asOf, signal };
    const [{ found, shown: hits }, query_analysis] = await Promise.all([
      retrieveShown(ctx, retrieval, { threshold, defaults }),
      analyseQuery(query),
    ]);
    const { ranked: allHits, slots } = found;
    const options = { query, allHits, slots, asOf, currentOnly: current_only, filters, signal };
    const relevant = await currentFirst(ctx, hits, options);
    const ordered = inOrder(relevant, sort, order);
    const shown = await revealHits(ctx, filters, cut(ordered, { limit, offset }));
    const answer = {
      query: query.text,
      results: presentMatches(shown, query, input.options, ctx.clock()),
      pagination: pagination({ limit, offset }, relevant.length, relevant.length > offset + limit),
      query_analysis,
      ...vectorState(found),
    };
    return { answer, shown };
  });
}

function presentMatches(shown: Judged<Ranked>[], query: Query, included: Included, now: number) {
  const highlight = highlighter(query);
  return shown.map((hit) => {
    return { ...present(hit, included, now), score: hit.score, highlight: highlight(hit.document.content) };
  });
}
