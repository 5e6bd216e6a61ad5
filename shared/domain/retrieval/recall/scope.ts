import { invalid } from "../../../kernel/errors.ts";
import { couldBeIssued } from "../../../kernel/ids.ts";
import { metadataPath } from "../../../ports/search-facets.ts";
import type { SearchExpression, SearchFilters } from "../../../ports/search-index.ts";
import { type Context, onBehalfOf } from "../../../runtime/context.ts";
import { ALL } from "../../../runtime/schemas/fields.ts";

/** The owner of the requested memories; `*` means all users. */
export interface RecallScope {
  user_id?: string | undefined;
  agent_id?: string | undefined;
  session_id?: string | undefined;
  /** Values of metadata by dotted path. */
  within?: Record<string, string> | undefined;
}

/**
 * Returns the caller and the filters of a scope; if it has several ids, all must match. The id of an agent of the
 * service selects the memories that this agent may see; any other agent_id selects those stored with it. `within`
 * leaves out what has another value, and keeps what has none. Throws VALIDATION_ERROR if no id is given.
 */
export function confineTo<Caller extends Context>(
  ctx: Caller,
  { user_id, agent_id, session_id, within = {} }: RecallScope,
): { ctx: Caller; filters: SearchFilters } {
  if (user_id === undefined && agent_id === undefined && session_id === undefined) {
    const problem = "send a user_id, agent_id or session_id, or * for all memories that you may read";
    throw invalid({ field: "user_id", problem });
  }
  const [user, agent, session] = [user_id, agent_id, session_id].map((id) => (id === ALL ? undefined : id));
  const isServiceAgent = agent !== undefined && couldBeIssued("agent", agent);
  const conditions: SearchExpression[] = [];
  if (agent !== undefined && !(isServiceAgent && (ctx.viewer ?? agent) === agent)) {
    conditions.push({ path: "agent_id", equals: [agent] });
  }
  if (session !== undefined) {
    const paths = ["metadata.session_id", "run_id"];
    conditions.push({ any: paths.map((path) => ({ path, equals: [session] })) });
  }
  for (const [name, value] of Object.entries(within)) {
    const path = metadataPath(name);
    conditions.push({ any: [{ path, equals: [value] }, { not: { path, present: true } }] });
  }
  const filters: SearchFilters = {
    ...(user !== undefined && { user_id: [user] }),
    ...(conditions.length > 0 && { where: { all: conditions } }),
  };
  const reader = isServiceAgent && agent !== undefined && ctx.viewer === undefined ? onBehalfOf(ctx, agent) : ctx;
  return { ctx: reader, filters };
}
