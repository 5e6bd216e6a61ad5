import * as z from "zod";
import type { Home } from "../platform/context.ts";
import { deadLettersOf } from "../platform/queues.ts";
import { type Job, MAX_DELAY_MS } from "./job.ts";
import { type JobInput, type JobKind, policyOf } from "./kinds.ts";

/**
 * What a message of every queue of jobs holds: the job's record says the rest. `retry` begins one again that failed. Workers
 * of releases before there was one engine know none of the names beside `org`: they fail the message, and it comes again.
 */
export const JobMessage = z.object({ org: z.string(), job: z.string(), retry: z.literal(true).optional() });

export type JobMessage = z.infer<typeof JobMessage>;

export function messageOf({ org, id }: Pick<Job, "org" | "id">): JobMessage {
  return { org, job: id };
}

/** The queue whose worker does a job. */
export function queueOf<Kind extends JobKind>({ kind, input }: Pick<Job<Kind>, "kind" | "input">): string {
  const { queue } = policyOf(kind);
  return typeof queue === "string" ? queue : queue(input as JobInput<JobKind>);
}

/** Leaves a message of a failed job with the dead letters, for whoever redrives them. */
export async function leaveDeadLetter({ ports, logger }: Pick<Home, "ports" | "logger">, job: Job): Promise<void> {
  const body = { ...messageOf(job), retry: true } satisfies JobMessage;
  try {
    await ports.queue.send(deadLettersOf(queueOf(job)), [{ body }]);
  } catch (error) {
    logger.error("DEAD_LETTER_NOT_SENT", { org: job.org, job: job.id, kind: job.kind, error });
  }
}

/** Announces a stored job to its worker for when it is due. The sweep announces what cannot be sent now. */
export async function enqueueJob(
  { ports, clock, logger }: Pick<Home, "ports" | "clock" | "logger">,
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
