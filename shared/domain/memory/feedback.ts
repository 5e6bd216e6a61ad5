import { timestamp } from "../../kernel/clock.ts";
import { notFound } from "../../kernel/errors.ts";
import { writeOrThrow } from "../../ports/conflicts.ts";
import type { Context } from "../../runtime/context.ts";
import { findFeedback, insertFeedback, removeFeedback } from "./feedback-records.ts";
import type { Feedback } from "./memory.ts";
import { getMemory } from "./revise.ts";
import { requireAccess } from "./visibility.ts";

/**
 * Rates a memory, which affects its ranking. Throws MEMORY_NOT_FOUND, and FORBIDDEN if the viewer may not change it.
 */
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

/**
 * Deletes a rating; it no longer affects ranking. Throws MEMORY_NOT_FOUND, FEEDBACK_NOT_FOUND, and FORBIDDEN if the
 * viewer may not change the memory.
 */
export async function undoFeedback(ctx: Context, memory_id: string, id: string): Promise<Feedback> {
  requireAccess(await getMemory(ctx, memory_id), ctx, "read_write");
  const given = await findFeedback(ctx.ports.records, ctx.org, memory_id, id);
  if (!given) throw notFound("feedback", id);
  await writeOrThrow(ctx, removeFeedback(ctx.org, given), () => notFound("feedback", id));
  return given;
}
