import * as z from "zod";
import { deadLettersOf } from "../../ports/queues.ts";
import type { Runtime } from "../context.ts";
import { type Job, MAX_DELAY_MS } from "./job.ts";
import { type JobInput, type JobKind, policyOf } from "./kinds.ts";

/**
 * A message of the job queues; everything else is in the job's record. `retry` restarts a failed job. Workers of
 * releases before the job engine know only `org`: they fail the message and it is delivered again.
 */
export const JobMessage = z.object({ org: z.string(), job: z.string(), retry: z.literal(true).optional() });

export type JobMessage = z.infer<typeof JobMessage>;

export function messageOf({ org, id }: Pick<Job, "org" | "id">): JobMessage {
  return { org, job: id };
}

/** Returns the queue whose worker processes a job. */
export function queueOf<Kind extends JobKind>({ kind, input }: Pick<Job<Kind>, "kind" | "input">): string {
  const { queue } = policyOf(kind);
  return typeof queue === "string" ? queue : queue(input as JobInput<JobKind>);
}

/** Sends a message of a failed job to the dead-letter queue, for a later redrive. */
export async function leaveDeadLetter({ ports, logger }: Pick<Runtime, "ports" | "logger">, job: Job): Promise<void> {
  const body = { ...messageOf(job), retry: true } satisfies JobMessage;
  try {
    await ports.queue.send(deadLettersOf(queueOf(job)), [{ body }]);
  } catch (error) {
    logger.error("DEAD_LETTER_NOT_SENT", { org: job.org, job: job.id, kind: job.kind, error });
  }
}

/** Enqueues a stored job for its due time. The sweep enqueues jobs whose message could not be sent. */
export async function enqueueJob(
  { ports, clock, logger }: Pick<Runtime, "ports" | "clock" | "logger">,
  job: Job,
): Promise<void> {
  const delayMs = Math.max(0, Date.parse(job.queued_at) - clock());
  if (delayMs > MAX_DELAY_MS) return;
  try {
    await ports.queue.send(queueOf(job), [{ body: messageOf(job), delaySeconds: Math.ceil(delayMs / 1000) }]);
  } catch (error) {
    logger.warn("JOB_NOT_QUEUED", { org: job.org, job: job.id, kind: job.kind, error });
  }
}
