import { ServiceError } from "../../../kernel/errors.ts";
import { inParallel } from "../../../kernel/parallel.ts";
import type { SearchExpression } from "../../../ports/ports.ts";
import type { Context } from "../../../runtime/context.ts";
import { listMemories } from "../../memory/memory-lists.ts";
import { eraseAllModelAnswers, eraseModelAnswers } from "../../memory/model-answers.ts";
import { deleteMemory } from "../../memory/revise.ts";
import { ANY, about, type Names, narrow } from "./filters.ts";
import { leaveTrace } from "./traces.ts";

const CONCURRENCY = 8;

/** Selects memories with all these names; `*` for all four selects every memory, also those without names. */
export function underNames(names: Names): SearchExpression {
  const { user_id, agent_id, app_id, run_id } = names;
  return [user_id, agent_id, app_id, run_id].every((name) => name === ANY) ? { all: [] } : about(names);
}

/**
 * Deletes the memories of an expression that the caller may delete, up to a limit; `hasMore` is true if another call
 * would find more. The memories of one user are found completely; others are found in the search index, which lags by
 * about a second on AWS.
 */
export async function deleteWhere(
  ctx: Context,
  where: SearchExpression,
  most: number,
): Promise<{ deleted: number; hasMore: boolean }> {
  await eraseReadings(ctx, where);
  const { ids, hasMore } = await findIds(ctx, where, most);
  const outcomes = await inParallel(ids, CONCURRENCY, (id) => deleteIfThere(ctx, id));
  return { deleted: outcomes.filter((isDeleted) => isDeleted).length, hasMore };
}

/** Deletes cached model answers about texts, including those without a memory. */
async function eraseReadings({ ports: { records }, org }: Context, expression: SearchExpression): Promise<void> {
  const { user_id: users = [], where } = narrow(expression);
  for (const user of users) await eraseModelAnswers(records, org, user);
  if (users.length === 0 && where === undefined) await eraseAllModelAnswers(records, org);
}

async function findIds(ctx: Context, expression: SearchExpression, most: number) {
  const filters = narrow(expression);
  const { user_id: [user, ...others] = [], where } = filters;
  if (where === undefined && others.length === 0) {
    const filter = { ...(user !== undefined && { user_id: user }), reach: "own" as const };
    const newest = { field: "created_at", descending: true } as const;
    const { memories, hasNext } = await listMemories(ctx, filter, newest, { limit: most, offset: 0 });
    return { ids: memories.map(({ id }) => id), hasMore: hasNext };
  }
  const scope = { org: ctx.org, filters, now: ctx.clock() };
  const { documents, total } = await ctx.ports.search.browse({ ...scope, descending: true, offset: 0, limit: most });
  return { ids: documents.map(({ id }) => id), hasMore: total > most };
}

/** Returns false if the memory does not exist or the caller may not delete it. */
async function deleteIfThere(ctx: Context, id: string): Promise<boolean> {
  try {
    await deleteMemory(ctx, id, undefined, leaveTrace);
    return true;
  } catch (error) {
    if (error instanceof ServiceError && ["MEMORY_NOT_FOUND", "FORBIDDEN"].includes(error.code)) return false;
    throw error;
  }
}
