import type { Context } from "../../../runtime/context.ts";
import type { JobHandler } from "../../../runtime/jobs/handler.ts";
import { enqueueJob } from "../../../runtime/jobs/queue.ts";
import { deleteWhere, underNames } from "./deletion.ts";
import { actingFor, advanced, beginEventJob, eventOf, withEvent } from "./event-jobs.ts";
import { type CompatEvent, ended, newEvent, putEvent } from "./events.ts";
import type { Names } from "./filters.ts";

/** Memories deleted per step. */
const DELETED_AT_ONCE = 500;
/** How long the search index may lag after deletions on AWS. */
const LAG_MS = 5_000;

/** Deletes the memories with all the names in the background. */
export async function submitDeletion(ctx: Context, names: Names): Promise<CompatEvent> {
  const event = newEvent(ctx, { type: "memory.delete", resource: "memory" });
  await enqueueJob(ctx, await beginEventJob(ctx, event, "forget", { input: { names }, checkpoint: null }));
  return event;
}

/** Deletes memories by name; its event counts them. */
export const deleteByNames: JobHandler<"forget"> = {
  ...withEvent,
  kind: "forget",

  async step(runtime, { job }) {
    const event = await eventOf(runtime, job);
    const { deleted, hasMore } = await deleteWhere(
      actingFor(runtime, event),
      underNames(job.input.names),
      DELETED_AT_ONCE,
    );
    if (hasMore && deleted === 0) {
      throw new Error("none of the memories that were found could be deleted, and there are more");
    }
    const done = (event.progress?.done ?? 0) + deleted;
    const progress = { total: done, done, failed: 0 };
    const now = runtime.clock();
    if (!hasMore) return { end: "completed", writes: [putEvent(ended(event, now, { progress }))] };
    return { checkpoint: null, delayMs: LAG_MS, writes: [putEvent(advanced(event, now, progress))] };
  },
};
