import { timestamp } from "../kernel/clock.ts";
import type { Home } from "../platform/context.ts";
import { writeUnlessChanged } from "../platform/unless-changed.ts";
import { due, type Job } from "./job.ts";
import { JOB_KINDS, type JobKind } from "./kinds.ts";
import { enqueueJob, queueOf } from "./queue.ts";
import { listOverdueJobs, replaceJob } from "./records.ts";

/** Behind a queue that is never empty a lost message is told from a waiting one by its age alone. */
const SURELY_LOST_MS = 60 * 60_000;
/** Of each shard of a kind, in one run; the next run continues with the rest. */
const MAX_REQUEUED = 100;

/**
 * Announces jobs again whose message was lost or whose worker stopped; answers how many. A message that comes twice does no
 * harm. A job that stops its worker each time is failed by the next one, as each attempt was counted.
 */
export async function sweepJobs(home: Home, kinds: readonly JobKind[] = JOB_KINDS): Promise<number> {
  const busy = new Map<string, Promise<boolean>>();
  const isBusy = (queue: string) => {
    const known = busy.get(queue) ?? hasMessages(home, queue);
    busy.set(queue, known);
    return known;
  };
  let requeued = 0;
  for (const kind of kinds) {
    for await (const job of listOverdueJobs(home.ports.records, kind, timestamp(home.clock()), MAX_REQUEUED)) {
      try {
        if (mayBeWaiting(job, home.clock()) && (await isBusy(queueOf(job)))) continue;
        if (await requeue(home, job)) requeued++;
      } catch (error) {
        home.logger.error("JOB_NOT_REQUEUED", { org: job.org, job: job.id, kind, error });
      }
    }
  }
  return requeued;
}

/** One that was due later than a queue delays a message has none. */
function mayBeWaiting({ state, queued_at, overdue_at }: Job, now: number): boolean {
  return state === "queued" && overdue_at > queued_at && now - Date.parse(queued_at) < SURELY_LOST_MS;
}

async function hasMessages({ ports }: Home, queue: string): Promise<boolean> {
  const { waiting, inFlight, delayed } = await ports.queue.depth(queue);
  return waiting + inFlight + delayed > 0;
}

async function requeue(home: Home, before: Job): Promise<boolean> {
  const { job, write } = replaceJob(before, { ...due(before.kind, home.clock()), lease_until: undefined });
  if (!(await writeUnlessChanged(home, write))) return false;
  await enqueueJob(home, job);
  return true;
}
