import { revealHits } from "../../shared/domain/memory/reveal-secrets.ts";
import { currentFirst } from "../../shared/domain/retrieval/current-first.ts";
import { runSearch } from "../../shared/domain/retrieval/run-search.ts";
import { retrieveShown } from "../../shared/domain/retrieval/shown.ts";
import { vectorState } from "../../shared/domain/retrieval/wire.ts";
import { pagination } from "../../shared/kernel/pagination.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import type { Context } from "../../shared/runtime/context.ts";
import { aggregate } from "./aggregations.ts";
import { booster } from "./boosts.ts";
import { readFilters } from "./filters.ts";
import type * as schemas from "./schemas.ts";
import { cut, inOrder, present } from "./search.ts";

/** `POST /search/advanced`: matches ranked by boosts or another order, with aggregations over all matches. */
export async function searchAdvanced(ctx: Context, input: Input<typeof schemas.AdvancedSearch>) {
  const filters = readFilters(input.filters);
  const { sort_by, order, boost_fields } = input.ranking;
  const { as_of: asOf, current_only } = input;
  const { offset } = input.options;
  return runSearch(ctx, "advanced", input.query, async ({ query, defaults, signal }) => {
    const { limit = defaults.limit, threshold } = input.options;
    const retrieval = { query, filters, now: input.now, asOf, signal };
    const { found, shown: hits } = await retrieveShown(ctx, retrieval, { threshold, defaults });
    const boost = booster(boost_fields, query, input.now ?? ctx.clock());
    const { ranked: allHits, slots } = found;
    const options = { query, allHits, slots, asOf, currentOnly: current_only, filters, signal };
    const relevant = await currentFirst(ctx, hits, options);
    const matches = relevant.map((hit) => ({ ...hit, boosted_score: boost(hit.score, hit.document) }));
    const ordered = inOrder(matches, sort_by, order);
    const shown = await revealHits(ctx, filters, cut(ordered, { limit, offset }));
    const answer = {
      query: query.text,
      results: shown.map((hit, index) => ({
        ...present(hit, input.options, ctx.clock()),
        score: hit.score,
        boosted_score: hit.boosted_score,
        rank: offset + index + 1,
      })),
      aggregations: aggregate(
        matches.map(({ document }) => document),
        input.aggregation,
      ),
      pagination: pagination({ limit, offset }, matches.length, matches.length > offset + limit),
      ...vectorState(found),
    };
    return { answer, shown };
  });
}
