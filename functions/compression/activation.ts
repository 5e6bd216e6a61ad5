import { isDeepStrictEqual } from "node:util";
import { compressionConfig } from "../../shared/compression/stored-settings.ts";
import { invalid, ServiceError } from "../../shared/kernel/errors.ts";
import type { Context } from "../../shared/platform/context.ts";
import { within } from "../../shared/retrieval/deadline.ts";
import { searchSettings } from "../../shared/retrieval/settings.ts";
import { spreadFrom } from "../../shared/retrieval/spread-from.ts";
import type { SpreadRanked } from "../../shared/retrieval/spreading.ts";
import type * as schemas from "./schemas.ts";
import type { Input } from "./service.ts";

type Request = Input<typeof schemas.SpreadActivation>;

/**
 * Lets activation spread from what a query finds. Throws INSUFFICIENT_RESULTS where it has nowhere to start from,
 * SEARCH_TIMEOUT, and CONFLICT where the configuration has it switched off.
 */
export async function spreadActivation(ctx: Context, { query, parameters: given, filters, context }: Request) {
  const confinement = confinementOf(filters, context);
  const [{ algorithms }, { timeout_ms, ...defaults }] = await Promise.all([
    ctx.settings.read(compressionConfig),
    ctx.settings.read(searchSettings),
  ]);
  const { enabled, ...usual } = algorithms.spreading_activation;
  if (!enabled) throw new ServiceError("CONFLICT", "Spreading activation is switched off in GET /compression/config.");
  const { max_hops = usual.max_hops, decay_factor = usual.decay_factor, threshold: own } = given;
  const { initial_budget, limit } = given;
  const threshold = { own, usual: usual.threshold };
  const parameters = { maxHops: max_hops, decayFactor: decay_factor, budget: initial_budget };
  const { ranked, stats } = await within(timeout_ms, (signal) =>
    spreadFrom(ctx, { query, filters: confinement, parameters, threshold, defaults, signal }),
  );
  if (ranked.length === 0) {
    throw new ServiceError("INSUFFICIENT_RESULTS", "No memory is close enough to the query to start from.", { query });
  }
  return {
    query,
    parameters: { max_hops, decay_factor, threshold: own ?? usual.threshold, initial_budget },
    context_used: Object.keys(confinement),
    results: ranked.slice(0, limit).map((hit) => present(hit, given)),
    spreading_stats: {
      initial_nodes: stats.initialNodes,
      activated_nodes: stats.activatedNodes,
      total_hops: stats.totalHops,
      propagation_efficiency: stats.propagationEfficiency,
    },
  };
}

type Confinement = Request["filters"];

/** What the filters and the context confine the memories to. Throws VALIDATION_ERROR where they differ. */
function confinementOf(filters: Confinement, context: Confinement): Confinement {
  const named = (["user_id", "category", "type"] as const).flatMap((name) => {
    const [inFilters, inContext] = [filters[name], context[name]];
    if (inFilters && inContext && !isDeepStrictEqual(inFilters, inContext)) {
      throw invalid({ field: `context.${name}`, problem: `is another one than \`filters.${name}\`` });
    }
    const value = inFilters ?? inContext;
    return value ? [[name, value] as const] : [];
  });
  return Object.fromEntries(named);
}

function present({ id, document, score, activationScore, hop, path }: SpreadRanked, included: Request["parameters"]) {
  const { content, user_id, category, type, metadata, created_at } = document;
  return {
    id,
    content,
    user_id,
    category,
    type,
    metadata,
    created_at,
    ...(included.include_scores ? { score, activation_score: activationScore } : {}),
    hop_distance: hop,
    ...(included.include_paths ? { activation_path: path } : {}),
  };
}
