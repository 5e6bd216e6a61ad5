import { waitForReading } from "../../shared/domain/memory/awaiting-reading.ts";
import { runBatch } from "../../shared/domain/memory/batch.ts";
import { type EventFilter, listByEvent } from "../../shared/domain/memory/event-list.ts";
import type { Memory } from "../../shared/domain/memory/memory.ts";
import { deleteMemory } from "../../shared/domain/memory/revise.ts";
import { invalid } from "../../shared/kernel/errors.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import type { Context } from "../../shared/runtime/context.ts";
import { validate } from "../../shared/runtime/schemas/validate.ts";
import * as schemas from "./schemas.ts";
import { createMemory, updateMemory } from "./service.ts";

/** Maximum deletions of a bulk request, so that it ends in time; repeating it deletes the next. */
const MAX_BULK_DELETE = 500;

export async function createBatch(
  ctx: Context,
  { memories, options }: Input<typeof schemas.CreateBatch>,
  { wait }: Input<typeof schemas.WaitForReading>,
) {
  const { done, failed } = await runBatch(ctx, memories, async (item, index) => {
    const draft = validate(schemas.CreateMemory, item);
    const { id, content, processing } = await createMemory(ctx, { ...draft, options: draft.options ?? options });
    return { index, id, content, status: statusOf(processing), duplicate_of: processing.duplicate_of };
  });
  if (wait === true)
    await waitForReading(
      ctx,
      done.map(({ id }) => id),
    );
  return { created: done, failed };
}

function statusOf({ status }: Memory["processing"]): "created" | "queued" | "skipped" {
  return status === "queued" || status === "skipped" ? status : "created";
}

export async function updateBatch(
  ctx: Context,
  { updates }: Input<typeof schemas.UpdateBatch>,
  { wait }: Input<typeof schemas.WaitForReading>,
) {
  const seen = new Set<string>();
  const { done, failed } = await runBatch(ctx, updates, async (item, index) => {
    const { id, ...change } = validate(schemas.UpdateItem, item);
    refuseRepeated(seen, id);
    const { version, updated_at } = await updateMemory(ctx, id, change);
    return { index, id, version, updated_at };
  });
  if (wait === true)
    await waitForReading(
      ctx,
      done.map(({ id }) => id),
    );
  return { updated: done, failed };
}

function refuseRepeated(seen: Set<string>, id: string): void {
  if (seen.has(id)) throw invalid({ field: "id", problem: "already occurs in this batch; send each memory once" });
  seen.add(id);
}

export async function deleteBatch(ctx: Context, { ids, filters }: Input<typeof schemas.DeleteBatch>) {
  return ids ? deleteAll(ctx, ids) : deleteMatching(ctx, filters ?? {});
}

/**
 * Deletes the newest MAX_BULK_DELETE matching memories that the caller may delete; `has_more` says whether a repetition
 * would delete more.
 */
export async function deleteMatching(ctx: Context, filters: EventFilter) {
  const order = { field: "created_at", descending: true } as const;
  const own = { ...filters, reach: "own" } as const;
  const { memories, hasNext } = await listByEvent(ctx, own, order, { limit: MAX_BULK_DELETE, offset: 0 });
  const outcome = await deleteAll(
    ctx,
    memories.map(({ id }) => id),
  );
  return { ...outcome, has_more: hasNext };
}

async function deleteAll(ctx: Context, ids: string[]) {
  const seen = new Set<string>();
  const { done, failed } = await runBatch(ctx, ids, async (id) => {
    refuseRepeated(seen, id);
    return deleteMemory(ctx, id);
  });
  return { deleted_count: done.length, deleted_ids: done.map(({ id }) => id), failed, has_more: false };
}
