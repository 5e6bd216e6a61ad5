import { timestamp } from "../../kernel/clock.ts";
import { notFound } from "../../kernel/errors.ts";
import type { PageRequest } from "../../kernel/pagination.ts";
import { writeOrThrow } from "../../ports/conflicts.ts";
import { getObject, toItem } from "../../ports/item.ts";
import { listObjects } from "../../ports/listing.ts";
import type { RecordKey, RecordStore, Write } from "../../ports/record-store.ts";
import type { Context } from "../../runtime/context.ts";
import type { Feedback, Memory } from "./memory.ts";
import { memoryKey } from "./memory-keys.ts";
import { getMemory } from "./revise.ts";
import { requireAccess } from "./visibility.ts";

/** Rates a memory, which affects its ranking. Throws MEMORY_NOT_FOUND, FORBIDDEN. */
export async function giveFeedback(ctx: Context, id: string, given: Pick<Feedback, "rating" | "comment" | "category">) {
  requireAccess(await getMemory(ctx, id), ctx, "read_write");
  const created = { created_at: timestamp(ctx.clock()), created_by: ctx.principal.id };
  const feedback: Feedback = { ...given, id: ctx.ids("feedback"), memory_id: id, ...created };
  const put = toItem(feedbackKey(ctx.org, id, feedback.id), "feedback", feedback);
  await writeOrThrow(ctx, [countRating(ctx.org, feedback, 1), { put }], () => notFound("memory", id));
  return feedback;
}

/** Deletes a rating; it no longer affects ranking. Throws MEMORY_NOT_FOUND, FEEDBACK_NOT_FOUND, FORBIDDEN. */
export async function undoFeedback(ctx: Context, memory_id: string, id: string): Promise<Feedback> {
  requireAccess(await getMemory(ctx, memory_id), ctx, "read_write");
  const key = feedbackKey(ctx.org, memory_id, id);
  const given = await getObject<Feedback>(ctx.ports.records, key);
  if (!given) throw notFound("feedback", id);
  const writes: Write[] = [countRating(ctx.org, given, -1), { delete: key, condition: "present" }];
  await writeOrThrow(ctx, writes, () => notFound("feedback", id));
  return given;
}

function feedbackKey(org: string, id: string, feedback: string): RecordKey {
  return { ...memoryKey(org, id), sk: `feedback#${feedback}` };
}

/** Returns the number and the mean of a memory's ratings; undefined without any. */
export function ratingsOf({ feedback_count: count, feedback_sum }: Pick<Memory, "feedback_count" | "feedback_sum">) {
  return count === 0 ? undefined : { count, mean: feedback_sum / count };
}

/** Returns the write that adds a rating to the memory's sums, or subtracts it, for the transaction of the rating. */
function countRating(org: string, { memory_id, rating }: Feedback, sign: 1 | -1): Write {
  const add = { feedback_count: sign, feedback_sum: sign * rating, revision: 1 };
  return { update: memoryKey(org, memory_id), add, condition: "present" };
}

/** Returns a page of a memory's ratings, oldest first. */
export async function listFeedback(records: RecordStore, org: string, memory_id: string, page: PageRequest) {
  const ratings = { pk: memoryKey(org, memory_id).pk, sk: { beginsWith: "feedback#" } };
  const { items: feedback, ...rest } = await listObjects<Feedback>(records, ratings, page);
  return { feedback, ...rest };
}
