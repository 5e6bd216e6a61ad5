import { checkWeights } from "../../shared/domain/retrieval/hybrid.ts";
import {
  MAX_QUERY_LENGTH,
  MAX_RESULTS,
  type SearchSettings,
  searchSettings,
} from "../../shared/domain/retrieval/settings.ts";
import { invalid } from "../../shared/kernel/errors.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import { requireOperator } from "../../shared/runtime/access/operator.ts";
import type { Context } from "../../shared/runtime/context.ts";
import type * as schemas from "./schemas.ts";

/** `GET /search/config`: defaults of search parameters, and their limits. */
export async function readSearchConfig(ctx: Context) {
  return present(await ctx.settings.read(searchSettings));
}

/**
 * `PUT /search/config`: updates the given settings for every organization. Throws FORBIDDEN for all but the operator.
 */
export async function changeSearchConfig(ctx: Context, { settings }: Input<typeof schemas.SearchConfigChange>) {
  requireOperator(ctx.principal);
  const given = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
  if (Object.keys(given).length === 0) throw invalid({ field: "settings", problem: "must name at least one setting" });
  const { value } = await ctx.settings.change(ctx, searchSettings, (current) => {
    const changed = { ...current, ...given };
    checkWeights(changed.semantic_weight, changed.keyword_weight);
    return changed;
  });
  return present(value);
}

function present({ timeout_ms, ...default_settings }: SearchSettings) {
  return { default_settings, limits: { max_results: MAX_RESULTS, max_query_length: MAX_QUERY_LENGTH, timeout_ms } };
}
