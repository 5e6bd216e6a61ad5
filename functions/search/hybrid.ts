import { revealHits } from "../../shared/domain/memory/reveal-secrets.ts";
import { currentFirst } from "../../shared/domain/retrieval/current-first.ts";
import { normalizeWeights, retrieveHybrid } from "../../shared/domain/retrieval/hybrid.ts";
import { feedbackFactor } from "../../shared/domain/retrieval/ranking/feedback.ts";
import type { FusionWeights, Ranked } from "../../shared/domain/retrieval/ranking/fusion.ts";
import { runSearch } from "../../shared/domain/retrieval/run-search.ts";
import { vectorState } from "../../shared/domain/retrieval/wire.ts";
import { pagination } from "../../shared/kernel/pagination.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import type { Keyword } from "../../shared/language/words/keywords.ts";
import type { SearchAnswer, SearchFilters } from "../../shared/ports/search-index.ts";
import type { Context } from "../../shared/runtime/context.ts";
import { readFilters } from "./filters.ts";
import type * as schemas from "./schemas.ts";
import { cut, present } from "./search.ts";

/** `POST /search/hybrid`: the weighted mean of the semantic and keyword scores, with both shown. */
export async function searchHybrid(ctx: Context, input: Input<typeof schemas.HybridSearch>) {
  const filters = readFilters(input.filters);
  const { as_of: asOf, current_only } = input;
  return runSearch(ctx, "hybrid", input.query, async ({ query, defaults, signal }) => {
    const { limit = defaults.limit, offset, include_explanation } = input.options;
    const { semantic_weight = defaults.semantic_weight, keyword_weight = defaults.keyword_weight } = input;
    const weights = normalizeWeights(semantic_weight, keyword_weight);
    const { threshold } = input.options;
    const request = { query, filters, weights, threshold, defaults, depth: 0, now: input.now, asOf };
    const retrieved = await retrieveHybrid(ctx, { ...request, signal });
    const { ranked: relevant, answer: found, semanticMatches } = retrieved;
    const options = { query, allHits: relevant, asOf, currentOnly: current_only, filters, signal };
    const ranked = await currentFirst(ctx, relevant, options);
    const shown = await revealHits(ctx, filters, cut(ranked, { limit, offset }));
    const keywords = include_explanation ? query.keywords : [];
    const answer = {
      query: query.text,
      results: shown.map((hit) => ({
        ...present(hit, input.options, ctx.clock()),
        semantic_score: hit.semanticScore,
        keyword_score: hit.keywordScore,
        hybrid_score: hit.score,
        explanation: include_explanation ? explain(hit, keywords, weights, found) : undefined,
      })),
      pagination: pagination({ limit, offset }, ranked.length, ranked.length > offset + limit),
      search_breakdown: {
        semantic_matches: semanticMatches,
        keyword_matches: found.keyword.length,
        total_documents_searched: await countSearched(ctx, filters, found, signal),
      },
      weights: {
        semantic_weight: weights.semantic,
        keyword_weight: weights.keyword,
        normalized: semantic_weight !== weights.semantic || keyword_weight !== weights.keyword,
      },
      ...vectorState(retrieved),
    };
    return { answer, shown };
  });
}

async function countSearched(
  { ports, org, clock }: Context,
  filters: SearchFilters,
  found: SearchAnswer,
  signal: AbortSignal,
): Promise<number> {
  const isNarrowed = Object.values(filters).some((filter) => filter !== undefined);
  if (!isNarrowed && found.statistics) return found.statistics.documents;
  return ports.search.count({ org, filters, now: clock(), signal });
}

/** An explanation of a hybrid score with the query's own words that the memory contains in some form. */
function explain(hit: Ranked, keywords: readonly Keyword[], weights: FusionWeights, { keyword }: SearchAnswer): string {
  const matchedTerms = new Set(keyword.find(({ id }) => id === hit.id)?.terms);
  const matching = keywords.flatMap(({ term, words }) => (matchedTerms.has(term) ? words : []));
  const named = matching.length === 0 ? "none match" : `matching ${[...new Set(matching)].join(", ")}`;
  const meaning = `meaning ${round(hit.semanticScore)} x ${round(weights.semantic)}`;
  const wording = `words ${round(hit.keywordScore)} x ${round(weights.keyword)} (${named})`;
  const factor = feedbackFactor(hit.document.ratings);
  const rated = factor === 1 ? "" : `, x ${round(factor)} by feedback`;
  return `${meaning} + ${wording}${rated} = ${round(hit.score)}`;
}

function round(value: number): number {
  return Number(value.toFixed(3));
}
