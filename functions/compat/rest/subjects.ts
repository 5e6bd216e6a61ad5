import { ANY } from "../../../shared/domain/integration/compat/filters.ts";
import {
  conditionOf,
  countSubjects,
  findSubject,
  listSubjects as readSubjects,
  removeSubject,
  SUBJECT_TYPES,
  type Subject,
} from "../../../shared/domain/integration/compat/subjects.ts";
import { timestamp } from "../../../shared/kernel/clock.ts";
import { invalid, notFound } from "../../../shared/kernel/errors.ts";
import { inParallel } from "../../../shared/kernel/parallel.ts";
import type { Input } from "../../../shared/kernel/schema-input.ts";
import type { BrowseAnswer } from "../../../shared/ports/search-index.ts";
import type { Context } from "../../../shared/runtime/context.ts";
import { pageLinks, toPageRequest } from "../common/pages.ts";
import { deleteMemories } from "../memories/one.ts";
import type * as schemas from "./schemas.ts";

/** Subjects counted concurrently. */
const CONCURRENCY = 8;

export async function listSubjects(ctx: Context, query: Input<typeof schemas.CompatListSubjects>) {
  const { records } = ctx.ports;
  const count = (type: Subject["type"]) => countSubjects(records, ctx.org, type);
  const [{ items: subjects, total }, total_users, total_agents, total_apps, total_runs] = await Promise.all([
    readSubjects(records, ctx.org, toPageRequest(query)),
    count("user"),
    count("agent"),
    count("app"),
    count("run"),
  ]);
  const described = await inParallel(subjects, CONCURRENCY, (subject) => describe(ctx, subject));
  const totals = { total_users, total_agents, total_apps, total_runs };
  return { ...pageLinks(ctx, "/v1/entities", query, total), results: described, ...totals };
}

async function describe(ctx: Context, subject: Subject) {
  const now = ctx.clock();
  const ofSubject = { org: ctx.org, now, filters: { where: conditionOf(subject) }, offset: 0, limit: 1 };
  const [oldest, newest] = await Promise.all([
    ctx.ports.search.browse({ ...ofSubject, descending: false }),
    ctx.ports.search.browse({ ...ofSubject, descending: true }),
  ]);
  const { type, name } = subject;
  return {
    id: `${type}:${name}`,
    name,
    type,
    total_memories: oldest.total,
    owner: ctx.org,
    created_at: createdAtOf(oldest, now),
    updated_at: createdAtOf(newest, now),
  };
}

/** When the found memory was created; the current time for a subject without visible memories. */
function createdAtOf({ documents }: BrowseAnswer, now: number): string {
  return documents[0]?.created_at ?? timestamp(now);
}

/**
 * Deletes a subject with all its memories, in the background if there are many. Throws ENTITY_NOT_FOUND for an unknown
 * or deleted one.
 */
export async function deleteSubject(
  ctx: Context,
  { entity_type, entity_name: name }: { entity_type: string; entity_name: string },
) {
  const type = SUBJECT_TYPES.find((known) => known === entity_type);
  if (!type) throw invalid({ field: "entity_type", problem: `must be one of ${SUBJECT_TYPES.join(", ")}` });
  if (name === ANY) throw invalid({ field: "entity_name", problem: "must name one entity; '*' means all" });
  const known = await findSubject(ctx.ports.records, ctx.org, { type, name });
  const { message: _ofMemories, ...outcome } = await deleteMemories(ctx, { [`${type}_id`]: name });
  if (!known && outcome.deleted_count === 0) throw notFound("entity", name);
  await ctx.ports.records.write(removeSubject(ctx.org, { type, name }));
  return { message: "Entity deleted successfully!", ...outcome };
}
