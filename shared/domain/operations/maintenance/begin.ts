import { setTimeout as pause } from "node:timers/promises";
import { timestamp } from "../../../kernel/clock.ts";
import { DAY_MS } from "../../../kernel/durations.ts";
import { ServiceError } from "../../../kernel/errors.ts";
import { retryOnConflict } from "../../../ports/conflicts.ts";
import { toItem } from "../../../ports/item.ts";
import type { JsonObject } from "../../../ports/json.ts";
import type { RecordKey, RecordStore, Write } from "../../../ports/record-store.ts";
import { OPERATOR_ORG } from "../../../runtime/access/operator.ts";
import { audit } from "../../../runtime/audit/audit.ts";
import type { Context, Runtime } from "../../../runtime/context.ts";
import { ended, isOver, type Job, newJob } from "../../../runtime/jobs/job.ts";
import type { JobDefinition, JobInput } from "../../../runtime/jobs/kinds.ts";
import { enqueueJob } from "../../../runtime/jobs/queue.ts";
import { findJob, insertJob, replaceJob } from "../../../runtime/jobs/records.ts";
import { CLEANUP_JOB, SYNC_JOB } from "./job-kinds.ts";
import { BEGINNING, type CleanupOptions, planCleanup, planSync, type SyncOptions } from "./plan.ts";

const [FIRST_POLL_MS, MAX_POLL_MS] = [20, 200];
/** Names the sync that may change the index; another one replaces it only after its end or by force. */
const SYNC_KEY: RecordKey = { pk: `${OPERATOR_ORG}#maintenance`, sk: "sync" };

/** Creates a job of the operator that begins with the first pass of its plan. */
export function newTask<Kind extends "cleanup" | "sync">(
  runtime: Runtime,
  definition: JobDefinition<Kind>,
  input: JobInput<Kind>,
  submitted_by = OPERATOR_ORG,
): Job<Kind> {
  return newJob({ ...runtime, org: OPERATOR_ORG }, definition, { input, checkpoint: BEGINNING, submitted_by });
}

/** Starts a cleanup by the workers. */
export async function beginCleanup(ctx: Context, request: Omit<CleanupOptions, "before">): Promise<Job<"cleanup">> {
  const operations = [...new Set(request.operations)];
  const before = timestamp(ctx.clock() - request.older_than_days * DAY_MS);
  const options = { ...request, operations, before };
  const job = newTask(ctx, CLEANUP_JOB, { options, plan: planCleanup(options) }, ctx.principal.id);
  await ctx.ports.records.write(insertJob(job), record(ctx, job, { ...request, operations }));
  await enqueueJob(ctx, job);
  return job;
}

/** Starts a sync by the workers. Throws CONFLICT while another sync runs, unless a forced sync replaces it. */
export async function beginSync(ctx: Context, request: SyncOptions): Promise<Job<"sync">> {
  const options = { ...request, components: [...new Set(request.components)] };
  const job = newTask(ctx, SYNC_JOB, { options, plan: planSync(options) }, ctx.principal.id);
  const insert = async () => {
    const latest = await findLatestSync(ctx.ports.records);
    const running = latest && !isOver(latest) ? latest : undefined;
    if (running && !request.force_sync) throw alreadyRunning(running);
    await ctx.ports.records.write(
      insertJob(job),
      putLatestSync(job, latest),
      ...(running ? [replaceJob(running, ended("cancelled", ctx.clock())).write] : []),
      record(ctx, job, { ...options }),
    );
  };
  // A conflict: the running sync made progress, or another sync was started.
  const exhausted = () => new ServiceError("CONFLICT", "Other syncs keep starting. Try again.");
  await retryOnConflict(insert, { exhausted });
  await enqueueJob(ctx, job);
  return job;
}

/** Returns the latest sync, if it still exists. */
export async function findLatestSync(records: RecordStore): Promise<Job<"sync"> | undefined> {
  const record = await records.get(SYNC_KEY);
  return typeof record?.job_id === "string" ? findJob(records, OPERATOR_ORG, record.job_id, SYNC_JOB) : undefined;
}

/** Returns the write that makes a sync the latest one; it fails if `former` no longer is. */
export function putLatestSync({ id }: Job<"sync">, former: Job<"sync"> | undefined): Write {
  const formerId = former?.id ?? "";
  const condition = { job_id: { atLeast: formerId, atMost: formerId, orAbsent: true as const } };
  return { put: toItem(SYNC_KEY, "maintenance_sync", { job_id: id }), condition };
}

function alreadyRunning({ id }: Job): ServiceError {
  return new ServiceError(
    "CONFLICT",
    `A sync is running: see GET /admin/jobs?job_id=${id}. Wait for its end, or replace it with force_sync.`,
    { job_id: id },
  );
}

function record(ctx: Context, { kind, id }: Job<"cleanup" | "sync">, details: JsonObject): Write {
  return audit(ctx, { action: `admin.${kind}`, target: id, details });
}

/** Returns the cleanup when it ends, or after `maxMs` milliseconds. */
export async function waitForCleanup(ctx: Context, job: Job<"cleanup">, maxMs: number): Promise<Job<"cleanup">> {
  const deadline = performance.now() + maxMs;
  const find = () => findJob(ctx.ports.records, OPERATOR_ORG, job.id, CLEANUP_JOB);
  for (let ms = FIRST_POLL_MS; performance.now() < deadline; ms = Math.min(2 * ms, MAX_POLL_MS)) {
    await pause(ms);
    const current = await find();
    if (!current || isOver(current)) return current ?? job;
  }
  return (await find()) ?? job;
}
