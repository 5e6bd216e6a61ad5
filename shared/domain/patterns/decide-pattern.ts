import { timestamp } from "../../kernel/clock.ts";
import { notFound } from "../../kernel/errors.ts";
import { updateWithRetry } from "../../ports/conflicts.ts";
import type { Context } from "../../runtime/context.ts";
import { findPattern } from "./read-patterns.ts";
import { findStoredPattern, type Pattern, putPattern } from "./records.ts";

/** Declines a pattern: it is not shown and does not come back. Throws PATTERN_NOT_FOUND. */
export function declinePattern(ctx: Context, id: string, ifMatch?: number): Promise<Pattern> {
  const declined = { declined_at: timestamp(ctx.clock()), declined_by: ctx.principal.id };
  return decide(ctx, id, ifMatch, (pattern) =>
    pattern.declined_at === undefined ? { ...pattern, ...declined } : undefined,
  );
}

/** Undoes a refusal. Throws PATTERN_NOT_FOUND. */
export function restorePattern(ctx: Context, id: string, ifMatch?: number): Promise<Pattern> {
  return decide(ctx, id, ifMatch, ({ declined_at, declined_by: _, ...pattern }) =>
    declined_at === undefined ? undefined : pattern,
  );
}

/** Stores a decision about a pattern of which the caller sees enough memories; undefined changes nothing. */
function decide(
  ctx: Context,
  id: string,
  ifMatch: number | undefined,
  change: (pattern: Pattern) => Pattern | undefined,
): Promise<Pattern> {
  const find = async () => {
    const [stored, shown] = await Promise.all([findStoredPattern(ctx, id), findPattern(ctx, id)]);
    return stored && shown && { stored, shown, version: stored.version };
  };
  return updateWithRetry(
    { resource: "pattern", id, find, ...(ifMatch !== undefined && { ifMatch }) },
    async (found) => {
      const after = change(found.stored);
      if (after === undefined) return found.shown;
      const version = found.stored.version + 1;
      await ctx.ports.records.write(putPattern({ ...after, version }, found.stored));
      const shown = change(found.shown);
      if (shown === undefined) throw notFound("pattern", id);
      return { ...shown, version };
    },
  );
}
