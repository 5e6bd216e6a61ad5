import { OPERATOR_ORG } from "../identity/bootstrap.ts";
import { timestamp } from "../kernel/clock.ts";
import type { Home } from "../platform/context.ts";
import { writeUnlessChanged } from "../platform/unless-changed.ts";
import { announce, type Job, replaceJob } from "./job.ts";

/** How often a job is begun that gets no further, before it is given up. */
const MAX_ATTEMPTS = 5;
const RETRY_SECONDS = 10;
const MAX_ERROR_LENGTH = 500;

/** Has a job tried again later, or gives up what cannot be done; whoever changed it in between goes on undisturbed. */
export async function putOff(home: Home, job: Job, fault: unknown): Promise<void> {
  const error = (fault instanceof Error ? fault.message : String(fault)).slice(0, MAX_ERROR_LENGTH);
  const attempts = job.attempts + 1;
  const isGivenUp = attempts >= MAX_ATTEMPTS;
  home.logger.error("MAINTENANCE_FAILED", { job: job.id, org: OPERATOR_ORG, attempts, error: fault });
  const now = timestamp(home.clock());
  const ended: Partial<Job> = isGivenUp ? { state: "failed", finished_at: now } : { queued_at: now };
  const { job: saved, write } = replaceJob(job, { attempts, error, ...ended });
  const isSaved = await writeUnlessChanged(home, write);
  if (isSaved && !isGivenUp) await announce(home, saved, RETRY_SECONDS * attempts ** 2);
}
