import type { OrgRuntime } from "../../../runtime/context.ts";
import type { AnyJobHandler, JobHandler } from "../../../runtime/jobs/handler.ts";
import type { Job } from "../../../runtime/jobs/job.ts";
import { CLEANUP_PASSES } from "./cleanup-passes.ts";
import { CLEANUP_JOB, SYNC_JOB } from "./job-kinds.ts";
import { type Pass, Tally, type Task } from "./pass.ts";
import type { MaintenanceCheckpoint } from "./plan.ts";
import { SYNC_PASSES } from "./sync-passes.ts";

const cleanup: JobHandler<"cleanup"> = {
  job: CLEANUP_JOB,
  step: (runtime, { job: { id, input, checkpoint } }) =>
    processPage(runtime, CLEANUP_PASSES, { id, options: input.options }, input.plan, checkpoint),
  onEnded: logEnd,
};

const sync: JobHandler<"sync"> = {
  job: SYNC_JOB,
  step: (runtime, { job: { id, input, checkpoint } }) =>
    processPage(runtime, SYNC_PASSES, { id, options: input.options }, input.plan, checkpoint),
  onEnded: logEnd,
};

/** Cleanups and syncs of the whole deployment: pass by pass and page by page, on behalf of the operator. */
export const maintenanceHandlers: readonly AnyJobHandler[] = [cleanup, sync];

async function processPage<Options>(
  runtime: OrgRuntime,
  passes: { [name: string]: Pass<Options> },
  task: Task<Options>,
  plan: string[],
  { step, cursor: from, ...before }: MaintenanceCheckpoint,
) {
  const startedAt = performance.now();
  const name = plan[step] ?? "";
  const pass = passes[name];
  if (!pass) throw new Error(`there is no pass '${name}'`);
  const tally = new Tally(before.tallies);
  const cursor = await pass(runtime, task, tally, from);
  const checkpoint: MaintenanceCheckpoint = {
    step: cursor === undefined ? step + 1 : step,
    cursor,
    tallies: tally.tallies,
    processing_ms: before.processing_ms + Math.ceil(performance.now() - startedAt),
  };
  return checkpoint.step < plan.length ? { checkpoint } : { end: "completed" as const, checkpoint };
}

function logEnd({ logger }: OrgRuntime, { id, kind, state, checkpoint }: Job<"cleanup" | "sync">): void {
  const { tallies, processing_ms } = checkpoint;
  logger.info("MAINTENANCE_ENDED", { job: id, kind, state, tallies, ms: processing_ms });
}
