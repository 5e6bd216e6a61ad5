import { timestamp } from "../../kernel/clock.ts";
import { notFound } from "../../kernel/errors.ts";
import type { PageRequest } from "../../kernel/pagination.ts";
import { writeOrThrow } from "../../ports/conflicts.ts";
import { fromItem, toItem } from "../../ports/item.ts";
import { readPage } from "../../ports/listing.ts";
import type { RecordKey, RecordStore, Write } from "../../ports/ports.ts";
import type { Context } from "../../runtime/context.ts";
import type { Feedback } from "./memory.ts";
import { memoryKey } from "./memory-keys.ts";
import { getMemory } from "./revise.ts";
import { requireAccess } from "./visibility.ts";

/** Rates a memory, which affects its ranking. Throws MEMORY_NOT_FOUND, FORBIDDEN. */
export async function giveFeedback(
  ctx: Context,
  id: string,
  given: Pick<Feedback, "rating" | "comment" | "category">,
): Promise<Feedback> {
  requireAccess(await getMemory(ctx, id), ctx, "read_write");
  const feedback: Feedback = {
    ...given,
    id: ctx.ids("feedback"),
    memory_id: id,
    created_at: timestamp(ctx.clock()),
    created_by: ctx.principal.id,
  };
  await writeOrThrow(ctx, insertFeedback(ctx.org, feedback), () => notFound("memory", id));
  return feedback;
}

/** Deletes a rating; it no longer affects ranking. Throws MEMORY_NOT_FOUND, FEEDBACK_NOT_FOUND, FORBIDDEN. */
export async function undoFeedback(ctx: Context, memory_id: string, id: string): Promise<Feedback> {
  requireAccess(await getMemory(ctx, memory_id), ctx, "read_write");
  const given = await findFeedback(ctx.ports.records, ctx.org, memory_id, id);
  if (!given) throw notFound("feedback", id);
  await writeOrThrow(ctx, removeFeedback(ctx.org, given), () => notFound("feedback", id));
  return given;
}

const feedbackKey = (org: string, id: string, feedback: string): RecordKey => ({
  pk: `${org}#${id}`,
  sk: `feedback#${feedback}`,
});

/** Stores a rating and updates the memory's sums in one transaction. */
function insertFeedback(org: string, feedback: Feedback): Write[] {
  return [
    {
      update: memoryKey(org, feedback.memory_id),
      add: { feedback_count: 1, feedback_sum: feedback.rating, revision: 1 },
      condition: "present",
    },
    { put: toItem(feedbackKey(org, feedback.memory_id, feedback.id), "feedback", feedback) },
  ];
}

/** Deletes a rating and updates the memory's sums in one transaction; refused if the rating was already deleted. */
function removeFeedback(org: string, { id, memory_id, rating }: Feedback): Write[] {
  return [
    {
      update: memoryKey(org, memory_id),
      add: { feedback_count: -1, feedback_sum: -rating, revision: 1 },
      condition: "present",
    },
    { delete: feedbackKey(org, memory_id, id), condition: "present" },
  ];
}

async function findFeedback(
  records: RecordStore,
  org: string,
  memory_id: string,
  id: string,
): Promise<Feedback | undefined> {
  const record = await records.get(feedbackKey(org, memory_id, id));
  return record && fromItem<Feedback>(record);
}

/** A page of a memory's ratings, oldest first. */
export async function listFeedback(
  records: RecordStore,
  org: string,
  memory_id: string,
  page: PageRequest,
): Promise<{ feedback: Feedback[]; total: number; hasNext: boolean }> {
  const { pk } = memoryKey(org, memory_id);
  const { items, total, hasNext } = await readPage(records, { pk, sk: { beginsWith: "feedback#" } }, page);
  return { feedback: items.map(fromItem<Feedback>), total, hasNext };
}
