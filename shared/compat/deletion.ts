import { ServiceError } from "../kernel/errors.ts";
import { inParallel } from "../kernel/parallel.ts";
import { eraseAllModelAnswers, eraseModelAnswers } from "../memory/model-answers.ts";
import { listMemories } from "../memory/records.ts";
import { deleteMemory } from "../memory/revise.ts";
import type { Context } from "../platform/context.ts";
import type { SearchExpression } from "../platform/ports.ts";
import { ANY, about, type Names, narrow } from "./filters.ts";
import { leaveTrace } from "./traces.ts";

const WIDTH = 8;

/** Memories that have all those names; where each of the four is `*`, all memories, also those that have none. */
export function underNames(names: Names): SearchExpression {
  const { user_id, agent_id, app_id, run_id } = names;
  return [user_id, agent_id, app_id, run_id].every((name) => name === ANY) ? { all: [] } : about(names);
}

/**
 * Deletes the memories that an expression names and that are the caller's to delete, at most so many; `hasMore` says
 * whether a repetition would find more. Of one user's it finds every one; others as the search index knows them, which
 * on AWS lags by about a second.
 */
export async function deleteWhere(
  ctx: Context,
  where: SearchExpression,
  most: number,
): Promise<{ deleted: number; hasMore: boolean }> {
  await eraseReadings(ctx, where);
  const { ids, hasMore } = await findIds(ctx, where, most);
  const outcomes = await inParallel(ids, WIDTH, (id) => deleteIfThere(ctx, id));
  return { deleted: outcomes.filter((isDeleted) => isDeleted).length, hasMore };
}

/** What models made of texts goes, also where no memory came of it. */
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

/** False where there is none any more, or where it is not the caller's. */
async function deleteIfThere(ctx: Context, id: string): Promise<boolean> {
  try {
    await deleteMemory(ctx, id, undefined, leaveTrace);
    return true;
  } catch (error) {
    if (error instanceof ServiceError && ["MEMORY_NOT_FOUND", "FORBIDDEN"].includes(error.code)) return false;
    throw error;
  }
}
