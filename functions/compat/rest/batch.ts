import type * as z from "zod";
import { type ItemFailure, runBatch } from "../../../shared/domain/memory/batch.ts";
import { giveFeedback } from "../../../shared/domain/memory/feedback.ts";
import { reviseMemory } from "../../../shared/domain/memory/revise.ts";
import { invalid, ServiceError } from "../../../shared/kernel/errors.ts";
import type { Input } from "../../../shared/kernel/schema-input.ts";
import type { Context } from "../../../shared/runtime/context.ts";
import { validate } from "../../../shared/runtime/schemas/validate.ts";
import { requireId } from "../common/ids.ts";
import { deleteMemory } from "../memories/one.ts";
import * as schemas from "./schemas.ts";

/** Items that are not started within this time fail, so that the request responds in time. */
const BATCH_MS = 22_000;

export async function changeBatch(ctx: Context, { memories }: Input<typeof schemas.CompatChangeBatch>) {
  return outcomeOf(
    "updated",
    await runUniqueBatch(ctx, memories, schemas.CompatChangedItem, async ({ memory_id, text, metadata }) => {
      const change = { ...(text !== undefined && { content: text }), ...(metadata !== undefined && { metadata }) };
      await reviseMemory(ctx, requireId("memory", memory_id), change, { door: "mem0" });
    }),
  );
}

export async function deleteBatch(ctx: Context, { memories }: Input<typeof schemas.CompatDeleteBatch>) {
  return outcomeOf(
    "deleted",
    await runUniqueBatch(ctx, memories, schemas.CompatDeletedItem, async ({ memory_id }) => {
      await deleteMemory(ctx, memory_id);
    }),
  );
}

type Outcome = { done: unknown[]; failed: (Omit<ItemFailure, "id"> & { memory_id: string | undefined })[] };

/** Runs `act` for each item; an id that occurs before in the batch fails. */
async function runUniqueBatch<Item extends { memory_id: string }>(
  ctx: Context,
  items: unknown[],
  schema: z.ZodType<Item>,
  act: (item: Item) => Promise<void>,
): Promise<Outcome> {
  const deadline = performance.now() + BATCH_MS;
  const seen = new Set<string>();
  const { done, failed } = await runBatch(ctx, items, async (given) => {
    const item = validate(schema, given);
    if (seen.has(item.memory_id)) throw invalid({ field: "memory_id", problem: "already occurs in this batch" });
    seen.add(item.memory_id);
    if (performance.now() > deadline) {
      throw new ServiceError("SERVICE_UNAVAILABLE", "The time limit was reached before this item. Send it again.");
    }
    await act(item);
  });
  return { done, failed: failed.map(({ id: _id, ...rest }) => ({ ...rest, memory_id: idOf(items[rest.index]) })) };
}

function idOf(item: unknown): string | undefined {
  const id = typeof item === "object" && item !== null ? (item as { memory_id?: unknown }).memory_id : item;
  return typeof id === "string" ? id : undefined;
}

/** Throws the first error if nothing succeeded. */
function outcomeOf(verb: string, { done, failed }: Outcome) {
  const [first] = failed;
  if (done.length === 0 && first) {
    const { code, message, details } = first.error;
    throw new ServiceError(code as ServiceError["code"], message, { ...details, failed });
  }
  const memories = done.length === 1 ? "1 memory" : `${done.length} memories`;
  return { message: `Successfully ${verb} ${memories}${failed.length > 0 ? `, failed ${failed.length}` : ""}`, failed };
}

const RATINGS = { POSITIVE: 5, NEGATIVE: 2, VERY_NEGATIVE: 1 } as const;

export async function rate(
  ctx: Context,
  { memory_id, feedback, feedback_reason }: Input<typeof schemas.CompatGiveFeedback>,
) {
  if (feedback === undefined || feedback === null) {
    throw invalid({
      field: "feedback",
      problem: `must be one of ${Object.keys(RATINGS).join(", ")}; null does not remove earlier feedback`,
    });
  }
  const { id } = await giveFeedback(ctx, requireId("memory", memory_id), {
    rating: RATINGS[feedback],
    ...(typeof feedback_reason === "string" && { comment: feedback_reason }),
    category: feedback,
  });
  return { message: "Feedback added successfully!", id, feedback, feedback_reason: feedback_reason ?? null };
}
