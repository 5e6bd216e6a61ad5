import type * as z from "zod";
import {
  findSubject,
  isOf,
  listSubjects as readSubjects,
  removeSubject,
  SUBJECT_TYPES,
  type Subject,
} from "../../../shared/compat/subjects.ts";
import { timestamp } from "../../../shared/kernel/clock.ts";
import { invalid, notFound, ServiceError } from "../../../shared/kernel/errors.ts";
import { inParallel } from "../../../shared/kernel/parallel.ts";
import { eachAlone } from "../../../shared/memory/each-alone.ts";
import { deleteMemory } from "../../../shared/memory/revise.ts";
import { type WalkCursor, walkMatching } from "../../../shared/memory/walk.ts";
import type { Context } from "../../../shared/platform/context.ts";
import type { BrowseAnswer } from "../../../shared/platform/ports.ts";
import { pageLinks, toPageRequest } from "./pages.ts";
import type * as schemas from "./schemas.ts";

type Input<Schema extends z.ZodType> = z.output<Schema>;

/** Subjects counted at a time. */
const WIDTH = 8;
/** Memories read and deleted at a time. */
const PART = 200;
/** A request deletes for so long; repeating it deletes the rest. */
const DELETE_MS = 20_000;

export async function listSubjects(ctx: Context, query: Input<typeof schemas.CompatListSubjects>) {
  const { subjects, ...found } = await readSubjects(ctx.ports.records, ctx.org, toPageRequest(query));
  const described = await inParallel(subjects, WIDTH, (subject) => describe(ctx, subject));
  return { ...pageLinks("/v1/entities", query, found), results: described };
}

async function describe(ctx: Context, subject: Subject) {
  const now = ctx.clock();
  const ofSubject = { org: ctx.org, now, filters: { where: isOf(subject) }, offset: 0, limit: 1 };
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
    created_at: momentOf(oldest, now),
    updated_at: momentOf(newest, now),
  };
}

/** Of a subject whose memories are all gone, or not in view yet, now. */
function momentOf({ documents }: BrowseAnswer, now: number): string {
  return documents[0]?.created_at ?? timestamp(now);
}

/** Deletes all memories of a subject. Throws ENTITY_NOT_FOUND where there never was one, or it is deleted already. */
export async function deleteSubject(
  ctx: Context,
  { entity_type, entity_name: name }: { entity_type: string; entity_name: string },
) {
  const type = SUBJECT_TYPES.find((known) => known === entity_type);
  if (!type) throw invalid({ field: "entity_type", problem: `must be one of ${SUBJECT_TYPES.join(", ")}` });
  const subject = { type, name };
  const known = await findSubject(ctx.ports.records, ctx.org, subject);
  const { deleted, isComplete } = await deleteMemoriesOf(ctx, subject);
  if (!known && deleted === 0) throw notFound("entity", name);
  if (!isComplete) return { message: "Send it again to delete the rest.", deleted_count: deleted, has_more: true };
  await ctx.ports.records.write(removeSubject(ctx.org, subject));
  return { message: "Entity deleted successfully!", deleted_count: deleted, has_more: false };
}

async function deleteMemoriesOf(ctx: Context, subject: Subject): Promise<{ deleted: number; isComplete: boolean }> {
  const until = performance.now() + DELETE_MS;
  let deleted = 0;
  let after: WalkCursor | undefined;
  do {
    const part = await walkMatching(ctx, { where: isOf(subject) }, { limit: PART, after });
    const { done, failed } = await eachAlone(ctx, part.memories, ({ id }) => deleteMemory(ctx, id));
    const failure = failed.find(({ error }) => error.code !== "MEMORY_NOT_FOUND")?.error;
    if (failure) throw new ServiceError(failure.code as ServiceError["code"], failure.message, failure.details);
    deleted += done.length;
    after = part.cursor;
  } while (after !== undefined && performance.now() < until);
  return { deleted, isComplete: after === undefined };
}
