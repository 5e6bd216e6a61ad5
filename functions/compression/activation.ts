import { isDeepStrictEqual } from "node:util";
import { compressionConfig } from "../../shared/domain/compression/stored-settings.ts";
import { within } from "../../shared/domain/retrieval/deadline.ts";
import { searchSettings } from "../../shared/domain/retrieval/settings.ts";
import { spreadFrom } from "../../shared/domain/retrieval/spread-from.ts";
import type { SpreadRanked } from "../../shared/domain/retrieval/spreading.ts";
import { invalid, ServiceError } from "../../shared/kernel/errors.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import { Query } from "../../shared/language/questions/query.ts";
import type { Context } from "../../shared/runtime/context.ts";
import type * as schemas from "./schemas.ts";

/** Number of hits that activation starts from; at most half of the results, so that the others show where it went. */
const MAX_SEEDS = 5;

type Request = Input<typeof schemas.SpreadActivation>;

/**
 * Spreads activation from the results of a query. Throws INSUFFICIENT_RESULTS without a starting point, SEARCH_TIMEOUT,
 * and CONFLICT if it is disabled by configuration.
 */
export async function spreadActivation(ctx: Context, { query, parameters: given, filters, context }: Request) {
  const merged = mergeFilters(filters, context);
  const [{ algorithms }, { timeout_ms, ...defaults }] = await Promise.all([
    ctx.settings.read(compressionConfig),
    ctx.settings.read(searchSettings),
  ]);
  const { enabled, ...defaultsOfActivation } = algorithms.spreading_activation;
  if (!enabled)
    throw new ServiceError(
      "CONFLICT",
      "Spreading activation is disabled in the configuration (GET /compression/config).",
    );
  const {
    max_hops = defaultsOfActivation.max_hops,
    decay_factor = defaultsOfActivation.decay_factor,
    threshold: own,
  } = given;
  const { initial_budget, limit } = given;
  const threshold = { own, byDefault: defaultsOfActivation.threshold };
  const parameters = { maxHops: max_hops, decayFactor: decay_factor, budget: initial_budget };
  const maxSeeds = Math.min(MAX_SEEDS, Math.ceil(limit / 2));
  const { ranked, stats } = await within(timeout_ms, (signal) =>
    spreadFrom(ctx, { query: new Query(query), filters: merged, parameters, threshold, defaults, maxSeeds, signal }),
  );
  if (ranked.length === 0) {
    throw new ServiceError("INSUFFICIENT_RESULTS", "No memory is close enough to the query to start from.", { query });
  }
  return {
    query,
    parameters: { max_hops, decay_factor, threshold: own ?? threshold.byDefault, initial_budget },
    context_used: Object.keys(merged),
    results: ranked.slice(0, limit).map((hit) => present(hit, given)),
    spreading_stats: {
      initial_nodes: stats.initialNodes,
      activated_nodes: stats.activatedNodes,
      total_hops: stats.totalHops,
      propagation_efficiency: stats.propagationEfficiency,
    },
  };
}

type Filters = Request["filters"];

/** Merges filters and context into one restriction of memories. Throws VALIDATION_ERROR if they differ. */
function mergeFilters(filters: Filters, context: Filters): Filters {
  const named = (["user_id", "category", "type"] as const).flatMap((name) => {
    const [inFilters, inContext] = [filters[name], context[name]];
    if (inFilters && inContext && !isDeepStrictEqual(inFilters, inContext)) {
      throw invalid({ field: `context.${name}`, problem: `differs from \`filters.${name}\`` });
    }
    const value = inFilters ?? inContext;
    return value ? [[name, value] as const] : [];
  });
  return Object.fromEntries(named);
}

function present({ document, score, activationScore, hop, path }: SpreadRanked, included: Request["parameters"]) {
  return {
    ...document,
    ...(included.include_scores ? { score, activation_score: activationScore } : {}),
    hop_distance: hop,
    ...(included.include_paths ? { activation_path: path } : {}),
  };
}
