import { setTimeout as pause } from "node:timers/promises";
import { audit } from "../audit/audit.ts";
import { OPERATOR_ORG } from "../identity/bootstrap.ts";
import { ended, isOver, type Job, newJob } from "../jobs/job.ts";
import { enqueueJob } from "../jobs/queue.ts";
import { findJob, insertJob, replaceJob } from "../jobs/records.ts";
import { timestamp } from "../kernel/clock.ts";
import { ServiceError } from "../kernel/errors.ts";
import type { Context } from "../platform/context.ts";
import { ConditionFailed } from "../platform/errors.ts";
import { toItem } from "../platform/item.ts";
import type { JsonObject, RecordKey, RecordStore, Write } from "../platform/ports.ts";
import { planSync, type SyncOptions } from "./components.ts";
import { type CleanupOptions, planCleanup } from "./operations.ts";
import { BEGINNING } from "./plan.ts";

const DAY_MS = 86_400_000;
const MAX_ATTEMPTS = 8;
const POLL_MS = 200;
/** Names the sync that may work on the index; another one takes its place only when it has ended, or is told to. */
const SYNC_KEY: RecordKey = { pk: `${OPERATOR_ORG}#maintenance`, sk: "sync" };

/** Has the workers clean up. */
export async function beginCleanup(ctx: Context, wanted: Omit<CleanupOptions, "before">): Promise<Job<"cleanup">> {
  const operations = [...new Set(wanted.operations)];
  const before = timestamp(ctx.clock() - wanted.older_than_days * DAY_MS);
  const options = { ...wanted, operations, before };
  const job = newJob({ ...ctx, org: OPERATOR_ORG }, "cleanup", {
    input: { options, plan: planCleanup(options) },
    checkpoint: BEGINNING,
    submitted_by: ctx.principal.id,
  });
  await ctx.ports.records.write(insertJob(job), record(ctx, job, { ...wanted, operations }));
  await enqueueJob(ctx, job);
  return job;
}

/** Has the workers sync; one at a time, unless a forced one takes the place of that which runs. Throws CONFLICT. */
export async function beginSync(ctx: Context, wanted: SyncOptions): Promise<Job<"sync">> {
  const options = { ...wanted, components: [...new Set(wanted.components)] };
  const job = newJob({ ...ctx, org: OPERATOR_ORG }, "sync", {
    input: { options, plan: planSync(options) },
    checkpoint: BEGINNING,
    submitted_by: ctx.principal.id,
  });
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const latest = await findLatestSync(ctx.ports.records);
    const running = latest && !isOver(latest) ? latest : undefined;
    if (running && !wanted.force_sync) throw alreadyRunning(running);
    try {
      await ctx.ports.records.write(
        insertJob(job),
        succeedSync(job, latest),
        ...(running ? [replaceJob(running, ended("cancelled", ctx.clock())).write] : []),
        record(ctx, job, { ...options }),
      );
      await enqueueJob(ctx, job);
      return job;
    } catch (error) {
      // The one that runs came further, or another one was begun.
      if (!(error instanceof ConditionFailed)) throw error;
    }
  }
  throw new ServiceError("CONFLICT", "Other syncs are begun all the time. Try again.");
}

/** The sync that was begun last, if it is there still. */
export async function findLatestSync(records: RecordStore): Promise<Job<"sync"> | undefined> {
  const record = await records.get(SYNC_KEY);
  return typeof record?.job_id === "string" ? findJob(records, OPERATOR_ORG, record.job_id, "sync") : undefined;
}

/** Makes a sync the one that is begun last; refused when that is not `former` any more. */
export function succeedSync({ id }: Job<"sync">, former: Job<"sync"> | undefined): Write {
  const place = former?.id ?? "";
  const condition = { job_id: { atLeast: place, atMost: place, orAbsent: true as const } };
  return { put: toItem(SYNC_KEY, "maintenance_sync", { job_id: id }), condition };
}

function alreadyRunning({ id }: Job): ServiceError {
  return new ServiceError(
    "CONFLICT",
    `A sync is running: see GET /admin/jobs?job_id=${id}. Wait for its end, or have this one take its place by force_sync.`,
    { job_id: id },
  );
}

function record(ctx: Context, { kind, id }: Job<"cleanup" | "sync">, details: JsonObject): Write {
  return audit(ctx, { action: `admin.${kind}`, target: id, details });
}

/** The clean-up once it is over or so long has passed, whichever is first. */
export async function waitForCleanup(ctx: Context, job: Job<"cleanup">, mostMs: number): Promise<Job<"cleanup">> {
  const deadline = performance.now() + mostMs;
  const find = () => findJob(ctx.ports.records, OPERATOR_ORG, job.id, "cleanup");
  while (performance.now() < deadline) {
    await pause(POLL_MS);
    const now = await find();
    if (!now || isOver(now)) return now ?? job;
  }
  return (await find()) ?? job;
}
