import { timestamp } from "../../../kernel/clock.ts";
import { DAY_SECONDS } from "../../../kernel/durations.ts";
import { succeeded } from "../../../kernel/errors.ts";
import { occurredMs } from "../../../kernel/event-time.ts";
import { inParallel } from "../../../kernel/parallel.ts";
import { getObject, toItem } from "../../../ports/item.ts";
import type { RecordKey, Write } from "../../../ports/record-store.ts";
import type { SearchExpression } from "../../../ports/search-index.ts";
import type { Context, MemoryScope } from "../../../runtime/context.ts";
import type { JobHandler } from "../../../runtime/jobs/handler.ts";
import { enqueueJob } from "../../../runtime/jobs/queue.ts";
import type { Memory } from "../../memory/memory.ts";
import { listMemories } from "../../memory/memory-lists.ts";
import { eraseAllModelAnswers, eraseModelAnswers } from "../../memory/model-answers.ts";
import { deleteMemory } from "../../memory/revise.ts";
import { actingFor, advanced, beginEventJob, eventOf, withEvent } from "./event-jobs.ts";
import { type CompatEvent, ended, newEvent, putEvent } from "./events.ts";
import { ANY, about, type Names, narrow } from "./filters.ts";
import { FORGET_JOB } from "./job-kinds.ts";

/** Maximum memories deleted per step. */
const DELETED_AT_ONCE = 500;
/** How long the search index may lag after deletions on AWS. */
const LAG_MS = 5_000;
const CONCURRENCY = 8;
const TRACE_SECONDS = 30 * DAY_SECONDS;

/** Deletes the memories with all the names in the background. */
export async function submitDeletion(ctx: Context, names: Names): Promise<CompatEvent> {
  const event = newEvent(ctx, { type: "memory.delete", resource: "memory" });
  await enqueueJob(ctx, await beginEventJob(ctx, event, FORGET_JOB, { input: { names }, checkpoint: null }));
  return event;
}

/** Deletes memories by name; its event counts them. */
export const deleteByNames: JobHandler<"forget"> = {
  ...withEvent,
  job: FORGET_JOB,

  async step(runtime, { job }) {
    const event = await eventOf(runtime, job);
    const where = underNames(job.input.names);
    const { deleted, hasMore } = await deleteWhere(actingFor(runtime, event), where, DELETED_AT_ONCE);
    if (hasMore && deleted === 0) {
      throw new Error("none of the found memories could be deleted, and there are more");
    }
    const done = (event.progress?.done ?? 0) + deleted;
    const progress = { total: done, done, failed: 0 };
    const now = runtime.clock();
    if (!hasMore) return { end: "completed", writes: [putEvent(ended(event, now, { progress }))] };
    return { checkpoint: null, delayMs: LAG_MS, writes: [putEvent(advanced(event, now, progress))] };
  },
};

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
  limit: number,
): Promise<{ deleted: number; hasMore: boolean }> {
  await eraseCachedAnswers(ctx, where);
  const { ids, hasMore } = await findIds(ctx, where, limit);
  const outcomes = await inParallel(ids, CONCURRENCY, (id) => deleteIfAllowed(ctx, id));
  return { deleted: outcomes.filter(Boolean).length, hasMore };
}

/** Deletes cached model answers about texts, including those without a memory. */
async function eraseCachedAnswers({ ports: { records }, org }: Context, expression: SearchExpression): Promise<void> {
  const { user_id: users = [], where } = narrow(expression);
  for (const user of users) await eraseModelAnswers(records, org, user);
  if (users.length === 0 && where === undefined) await eraseAllModelAnswers(records, org);
}

async function findIds(ctx: Context, expression: SearchExpression, limit: number) {
  const filters = narrow(expression);
  const { user_id: [user, ...others] = [], where } = filters;
  if (where === undefined && others.length === 0) {
    const filter = { ...(user !== undefined && { user_id: user }), reach: "own" as const };
    const newest = { field: "created_at", descending: true } as const;
    const { memories, hasNext } = await listMemories(ctx, filter, newest, { limit, offset: 0 });
    return { ids: memories.map(({ id }) => id), hasMore: hasNext };
  }
  const scope = { org: ctx.org, filters, now: ctx.clock() };
  const { documents, total } = await ctx.ports.search.browse({ ...scope, descending: true, offset: 0, limit });
  return { ids: documents.map(({ id }) => id), hasMore: total > limit };
}

/** Returns false if the memory does not exist or the caller may not delete it. */
function deleteIfAllowed(ctx: Context, id: string): Promise<boolean> {
  return succeeded(deleteMemory(ctx, id, undefined, leaveTrace), "MEMORY_NOT_FOUND", "FORBIDDEN");
}

/** Records that a memory existed and when it was deleted, without its content. Kept for 30 days. */
export interface Trace {
  memory_id: string;
  org: string;
  user_id?: string;
  /** The memory's agent. */
  agent_id?: string;
  /** ISO 8601; the memory's event time. */
  created_at: string;
  deleted_at: string;
}

/** Separate from the memory's own records, which are all deleted with it. */
const traceKey = (org: string, id: string): RecordKey => ({ pk: `${org}#${id}#trace`, sk: "trace" });

/** The write that stores a memory's trace, for the transaction that deletes the memory. */
export function leaveTrace(memory: Memory, deleted_at: string): Write[] {
  const { org, id, user_id, agent_id } = memory;
  const created_at = timestamp(occurredMs(memory));
  const trace: Trace = { memory_id: id, org, user_id, agent_id, created_at, deleted_at };
  const ttl = Math.ceil(Date.parse(deleted_at) / 1000) + TRACE_SECONDS;
  return [{ put: toItem(traceKey(org, id), "trace", trace, { ttl }) }];
}

/** Returns undefined if the memory was never deleted, or if the viewer could not have deleted it. */
export async function findTrace({ ports, org, viewer }: MemoryScope, id: string): Promise<Trace | undefined> {
  const trace = await getObject<Trace>(ports.records, traceKey(org, id));
  return trace && (viewer === undefined || trace.agent_id === viewer) ? trace : undefined;
}
