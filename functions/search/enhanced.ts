import { revealHits } from "../../shared/domain/memory/reveal-secrets.ts";
import { currentFirst } from "../../shared/domain/retrieval/current-first.ts";
import { fuseByMean } from "../../shared/domain/retrieval/ranking/weighted.ts";
import { type Retrieved, retrieve } from "../../shared/domain/retrieval/retrieve.ts";
import { runSearch, type Search } from "../../shared/domain/retrieval/run-search.ts";
import { type SpreadingSearch, spreadFrom } from "../../shared/domain/retrieval/spread-from.ts";
import type { Spread } from "../../shared/domain/retrieval/spreading.ts";
import { vectorState } from "../../shared/domain/retrieval/wire.ts";
import { pick } from "../../shared/kernel/objects.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import type { SearchFilters } from "../../shared/ports/search-index.ts";
import type { Context } from "../../shared/runtime/context.ts";
import { readFilters } from "./filters.ts";
import { checkMode, DEFAULT_ACTIVATION_THRESHOLD, type EnhancedMode } from "./modes.ts";
import * as schemas from "./schemas.ts";
import { present } from "./search.ts";

type EnhancedRequest = Input<typeof schemas.EnhancedSearchBody>;

/** `GET /search/enhanced`. */
export async function searchEnhancedByQuery(ctx: Context, input: Input<typeof schemas.EnhancedSearch>) {
  const { q: query, mode, now, as_of, current_only, max_hops, decay_factor, threshold, budget, ...options } = input;
  const filters = pick(input, schemas.FILTERS_IN_QUERY);
  const parameters = { max_hops, decay_factor, threshold, budget };
  return searchEnhanced(ctx, { query, mode, filters, now, as_of, current_only, parameters, options });
}

/** `POST /search/enhanced`. Throws INVALID_MODE, and INSUFFICIENT_RESULTS if activation has no starting point. */
export async function searchEnhanced(ctx: Context, request: EnhancedRequest) {
  const mode = checkMode(request.mode);
  const filters = readFilters(request.filters);
  const { now, as_of: asOf, current_only } = request;
  return runSearch(ctx, mode, request.query, async (search) => {
    const { query, defaults, signal } = search;
    const { limit = defaults.limit, include_path } = request.options;
    const { max_hops = defaults.max_hops, decay_factor = defaults.decay_factor } = request.parameters;
    const { threshold: own, budget } = request.parameters;
    const spreading: SpreadingSearch = {
      query,
      filters,
      parameters: { maxHops: max_hops, decayFactor: decay_factor, budget },
      threshold: { own, byDefault: DEFAULT_ACTIVATION_THRESHOLD },
      defaults,
      now,
      asOf,
      signal,
    };
    const found =
      mode === "spreading"
        ? await spreadFrom(ctx, spreading)
        : await searchDirectly(ctx, search, filters, mode, own ?? DEFAULT_ACTIVATION_THRESHOLD);
    const { ranked: allHits, slots } = found;
    const options = { query, allHits, slots, asOf, currentOnly: current_only, filters, signal };
    const best = (await currentFirst(ctx, found.ranked, options)).slice(0, limit);
    const shown = await revealHits(ctx, filters, best);
    const answer = {
      query: query.text,
      mode,
      results: shown.map((hit) => ({
        ...present(hit, request.options, ctx.clock()),
        score: hit.score,
        activation_score: hit.activationScore,
        hop_distance: hit.hop,
        activation_path: include_path ? hit.path : undefined,
      })),
      spreading_stats: {
        initial_nodes: found.stats.initialNodes,
        activated_nodes: found.stats.activatedNodes,
        total_hops: found.stats.totalHops,
        propagation_efficiency: found.stats.propagationEfficiency,
      },
      ...vectorState(found),
    };
    return { answer, shown };
  });
}

/** Searches in another mode. Returns the form of spreading activation, with every found memory as a starting point. */
async function searchDirectly(
  ctx: Context,
  { query, defaults, signal }: Search,
  filters: SearchFilters,
  mode: Exclude<EnhancedMode, "spreading">,
  threshold: number,
): Promise<Spread & Pick<Retrieved, "isByWords" | "slots">> {
  const { semantic_weight, keyword_weight } = defaults;
  const weights =
    mode === "semantic" ? { semantic: 1, keyword: 0 } : { semantic: semantic_weight, keyword: keyword_weight };
  const { ranked, isByWords, slots } = await retrieve(ctx, {
    query,
    filters,
    fusion: { weights, fuse: fuseByMean },
    depth: 0,
    signal,
  });
  const relevant = ranked.filter(({ score }) => score >= threshold);
  const stats = {
    initialNodes: relevant.length,
    activatedNodes: relevant.length,
    totalHops: 0,
    propagationEfficiency: 0,
  };
  return {
    ranked: relevant.map((hit) => ({
      ...hit,
      activationScore: hit.score,
      hop: 0,
      path: [{ node: hit.id, activation: hit.score, hop: 0 }],
    })),
    stats,
    isByWords,
    slots,
  };
}
