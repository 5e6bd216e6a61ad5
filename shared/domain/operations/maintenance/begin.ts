import { setTimeout as pause } from "node:timers/promises";
import { timestamp } from "../../../kernel/clock.ts";
import { DAY_MS } from "../../../kernel/durations.ts";
import { ServiceError } from "../../../kernel/errors.ts";
import { retryOnConflict } from "../../../ports/conflicts.ts";
import { toItem } from "../../../ports/item.ts";
import type { JsonObject, RecordKey, RecordStore, Write } from "../../../ports/ports.ts";
import { OPERATOR_ORG } from "../../../runtime/access/operator.ts";
import { audit } from "../../../runtime/audit/audit.ts";
import type { Context, Runtime } from "../../../runtime/context.ts";
import { ended, isOver, type Job, newJob } from "../../../runtime/jobs/job.ts";
import type { JobInput } from "../../../runtime/jobs/kinds.ts";
import { enqueueJob } from "../../../runtime/jobs/queue.ts";
import { findJob, insertJob, replaceJob } from "../../../runtime/jobs/records.ts";
import { BEGINNING, type CleanupOptions, planCleanup, planSync, type SyncOptions } from "./plan.ts";

const [FIRST_POLL_MS, MAX_POLL_MS] = [20, 200];
/** Names the sync that may change the index; another one replaces it only after its end or by force. */
const SYNC_KEY: RecordKey = { pk: `${OPERATOR_ORG}#maintenance`, sk: "sync" };

/** Creates a job of the operator that begins with the first pass of its plan. */
export function newTask<Kind extends "cleanup" | "sync">(
  runtime: Runtime,
  kind: Kind,
  input: JobInput<Kind>,
  submitted_by = OPERATOR_ORG,
): Job<Kind> {
  return newJob<Kind>({ ...runtime, org: OPERATOR_ORG }, kind, { input, checkpoint: BEGINNING, submitted_by });
}

/** Starts a cleanup by the workers. */
export async function beginCleanup(ctx: Context, wanted: Omit<CleanupOptions, "before">): Promise<Job<"cleanup">> {
  const operations = [...new Set(wanted.operations)];
  const before = timestamp(ctx.clock() - wanted.older_than_days * DAY_MS);
  const options = { ...wanted, operations, before };
  const job = newTask(ctx, "cleanup", { options, plan: planCleanup(options) }, ctx.principal.id);
  await ctx.ports.records.write(insertJob(job), record(ctx, job, { ...wanted, operations }));
  await enqueueJob(ctx, job);
  return job;
}

/** Starts a sync by the workers; one at a time, unless a forced one replaces the running one. Throws CONFLICT. */
export async function beginSync(ctx: Context, wanted: SyncOptions): Promise<Job<"sync">> {
  const options = { ...wanted, components: [...new Set(wanted.components)] };
  const job = newTask(ctx, "sync", { options, plan: planSync(options) }, ctx.principal.id);
  const insert = async () => {
    const latest = await findLatestSync(ctx.ports.records);
    const running = latest && !isOver(latest) ? latest : undefined;
    if (running && !wanted.force_sync) throw alreadyRunning(running);
    await ctx.ports.records.write(
      insertJob(job),
      putLatestSync(job, latest),
      ...(running ? [replaceJob(running, ended("cancelled", ctx.clock())).write] : []),
      record(ctx, job, { ...options }),
    );
  };
  // A conflict: the running one made progress, or another one was started.
  const exhausted = () => new ServiceError("CONFLICT", "Other syncs keep starting. Try again.");
  await retryOnConflict(insert, { exhausted });
  await enqueueJob(ctx, job);
  return job;
}

/** The latest sync, if it still exists. */
export async function findLatestSync(records: RecordStore): Promise<Job<"sync"> | undefined> {
  const record = await records.get(SYNC_KEY);
  return typeof record?.job_id === "string" ? findJob(records, OPERATOR_ORG, record.job_id, "sync") : undefined;
}

/** Makes a sync the latest one; refused if `former` no longer is. */
export function putLatestSync({ id }: Job<"sync">, former: Job<"sync"> | undefined): Write {
  const place = former?.id ?? "";
  const condition = { job_id: { atLeast: place, atMost: place, orAbsent: true as const } };
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

/** The cleanup when it ends or after the timeout, whichever is first. */
export async function waitForCleanup(ctx: Context, job: Job<"cleanup">, maxMs: number): Promise<Job<"cleanup">> {
  const deadline = performance.now() + maxMs;
  const find = () => findJob(ctx.ports.records, OPERATOR_ORG, job.id, "cleanup");
  for (let ms = FIRST_POLL_MS; performance.now() < deadline; ms = Math.min(2 * ms, MAX_POLL_MS)) {
    await pause(ms);
    const now = await find();
    if (!now || isOver(now)) return now ?? job;
  }
  return (await find()) ?? job;
}
