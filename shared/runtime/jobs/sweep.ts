import { timestamp } from "../../kernel/clock.ts";
import { tryWrite } from "../../ports/conflicts.ts";
import type { Runtime } from "../context.ts";
import { due, type Job } from "./job.ts";
import type { JobKind } from "./kinds.ts";
import { enqueueJob, queueOf } from "./queue.ts";
import { listOverdueJobs, replaceJob } from "./records.ts";

/**
 * Age from which a job's message counts as lost, because a queue that is never empty does not show whether it waits.
 */
const SURELY_LOST_MS = 60 * 60_000;
/** Maximum jobs per shard of a kind in one run; the next run continues. */
const MAX_REQUEUED = 100;

/**
 * Enqueues jobs whose message was lost or whose worker stopped; returns their number. A duplicate message is harmless.
 * A job that crashes its worker every time fails after its last attempt, because each attempt was counted.
 */
export async function sweepJobs(runtime: Runtime, definitions: readonly { kind: JobKind }[]): Promise<number> {
  const busy = new Map<string, Promise<boolean>>();
  const isBusy = (queue: string) => {
    const known = busy.get(queue) ?? hasMessages(runtime, queue);
    busy.set(queue, known);
    return known;
  };
  let requeued = 0;
  for (const { kind } of definitions) {
    for await (const job of listOverdueJobs(runtime.ports.records, kind, timestamp(runtime.clock()), MAX_REQUEUED)) {
      try {
        if (mayBeWaiting(job, runtime.clock()) && (await isBusy(queueOf(job)))) continue;
        if (await requeue(runtime, job)) requeued++;
      } catch (error) {
        runtime.logger.error("JOB_NOT_REQUEUED", { org: job.org, job: job.id, kind, error });
      }
    }
  }
  return requeued;
}

/**
 * Whether the job's message may still wait in its queue; a job that was due after the maximum delay has no message yet.
 */
function mayBeWaiting({ state, queued_at, overdue_at }: Job, now: number): boolean {
  return state === "queued" && overdue_at > queued_at && now - Date.parse(queued_at) < SURELY_LOST_MS;
}

async function hasMessages({ ports }: Runtime, queue: string): Promise<boolean> {
  const { waiting, inFlight, delayed } = await ports.queue.depth(queue);
  return waiting + inFlight + delayed > 0;
}

async function requeue(runtime: Runtime, before: Job): Promise<boolean> {
  const { job, write } = replaceJob(before, { ...due(before.kind, runtime.clock()), lease_until: undefined });
  if (!(await tryWrite(runtime, write))) return false;
  await enqueueJob(runtime, job);
  return true;
}
