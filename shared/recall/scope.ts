import { invalid } from "../kernel/errors.ts";
import { couldBeIssued } from "../kernel/ids.ts";
import { type Context, onBehalfOf } from "../platform/context.ts";
import type { SearchExpression, SearchFilters } from "../platform/ports.ts";

/** Whose memories are asked for; `*` is everybody's. */
export interface RecallScope {
  user_id?: string | undefined;
  agent_id?: string | undefined;
  session_id?: string | undefined;
}

const EVERYTHING = "*";

/**
 * The caller and the filters that a scope stands for; several names must all hold. An agent of the service stands for what
 * it may see, any other name for what was stored under it. Throws VALIDATION_ERROR where nothing is named.
 */
export function confineTo<Caller extends Context>(
  ctx: Caller,
  { user_id, agent_id, session_id }: RecallScope,
): { ctx: Caller; filters: SearchFilters } {
  if (user_id === undefined && agent_id === undefined && session_id === undefined) {
    const problem = "name a user_id, agent_id or session_id, or * for all that you may read";
    throw invalid({ field: "user_id", problem });
  }
  const [user, agent, session] = [user_id, agent_id, session_id].map((id) => (id === EVERYTHING ? undefined : id));
  const isOwn = agent !== undefined && couldBeIssued("agent", agent);
  const conditions: SearchExpression[] = [];
  if (agent !== undefined && !(isOwn && (ctx.viewer ?? agent) === agent)) {
    conditions.push({ path: "agent_id", equals: [agent] });
  }
  if (session !== undefined) {
    const paths = ["metadata.session_id", "run_id"];
    conditions.push({ any: paths.map((path) => ({ path, equals: [session] })) });
  }
  const filters: SearchFilters = {
    ...(user !== undefined && { user_id: [user] }),
    ...(conditions.length > 0 && { where: { all: conditions } }),
  };
  const reader = isOwn && agent !== undefined && ctx.viewer === undefined ? onBehalfOf(ctx, agent) : ctx;
  return { ctx: reader, filters };
}
