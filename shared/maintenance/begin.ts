import { setTimeout as pause } from "node:timers/promises";
import { audit } from "../audit/audit.ts";
import { timestamp } from "../kernel/clock.ts";
import { ServiceError } from "../kernel/errors.ts";
import type { Context } from "../platform/context.ts";
import { ConditionFailed } from "../platform/errors.ts";
import type { JsonObject, Write } from "../platform/ports.ts";
import { planSync, type SyncOptions } from "./components.ts";
import { announce, findJob, findLatestSync, isOver, type Job, newJob, putJob, replaceJob, succeedSync } from "./job.ts";
import { type CleanupOptions, planCleanup } from "./operations.ts";
import type { JobOf } from "./pass.ts";

const DAY_MS = 86_400_000;
const MAX_ATTEMPTS = 8;
const POLL_MS = 200;

/** Has the workers clean up. */
export async function beginCleanup(ctx: Context, wanted: Omit<CleanupOptions, "before">): Promise<JobOf<"cleanup">> {
  const operations = [...new Set(wanted.operations)];
  const before = timestamp(ctx.clock() - wanted.older_than_days * DAY_MS);
  const options = { ...wanted, operations, before };
  const job = newJob(ctx, { type: "cleanup" as const, options }, planCleanup(options), ctx.principal.id);
  await ctx.ports.records.write(putJob(job, "absent"), record(ctx, job, { ...wanted, operations }));
  await announce(ctx, job);
  return job;
}

/** Has the workers sync; one at a time, unless a forced one takes the place of that which runs. Throws CONFLICT. */
export async function beginSync(ctx: Context, wanted: SyncOptions): Promise<JobOf<"sync">> {
  const options = { ...wanted, components: [...new Set(wanted.components)] };
  const job = newJob(ctx, { type: "sync" as const, options }, planSync(options), ctx.principal.id);
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const latest = await findLatestSync(ctx.ports.records);
    const running = latest && !isOver(latest) ? latest : undefined;
    if (running && !wanted.force_sync) throw alreadyRunning(running);
    try {
      await ctx.ports.records.write(
        putJob(job, "absent"),
        succeedSync(job, latest),
        ...(running ? [supersede(ctx, running)] : []),
        record(ctx, job, { ...options }),
      );
      await announce(ctx, job);
      return job;
    } catch (error) {
      // The one that runs came further, or another one was begun.
      if (!(error instanceof ConditionFailed)) throw error;
    }
  }
  throw new ServiceError("CONFLICT", "Other syncs are begun all the time. Try again.");
}

function supersede(ctx: Context, running: Job): Write {
  return replaceJob(running, { state: "superseded", finished_at: timestamp(ctx.clock()) }).write;
}

function alreadyRunning({ id }: Job): ServiceError {
  return new ServiceError(
    "CONFLICT",
    `A sync is running: see GET /admin/jobs?job_id=${id}. Wait for its end, or have this one take its place by force_sync.`,
    { job_id: id },
  );
}

function record(ctx: Context, job: Job, details: JsonObject): Write {
  return audit(ctx, { action: `admin.${job.type}`, target: job.id, details });
}

/** The job once it is over or so long has passed, whichever is first. */
export async function waitFor<Which extends Job>(ctx: Context, job: Which, mostMs: number): Promise<Which> {
  const deadline = performance.now() + mostMs;
  while (performance.now() < deadline) {
    await pause(POLL_MS);
    const now = await findJob(ctx.ports.records, job.id);
    if (!now) return job;
    if (isOver(now)) return now as Which;
  }
  return ((await findJob(ctx.ports.records, job.id)) ?? job) as Which;
}
