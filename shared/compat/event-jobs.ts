import type { JobHandler, JobWrites } from "../jobs/handler.ts";
import { type Job, type NewJob, newJob } from "../jobs/job.ts";
import type { JobKind } from "../jobs/kinds.ts";
import { insertJob } from "../jobs/records.ts";
import { timestamp } from "../kernel/clock.ts";
import { ServiceError } from "../kernel/errors.ts";
import { type Context, type OrgHome, onBehalfOf } from "../platform/context.ts";
import type { Write } from "../platform/ports.ts";
import { type CompatEvent, type EventFailure, ended, getEvent, insertEvent, putEvent } from "./events.ts";

const GIVEN_UP: EventFailure = { code: "INTERNAL_ERROR", message: "It could not be done. Send it again." };

/** Stores an event and the job of the same id that does the work; `enqueueJob` then announces it. */
export async function beginEventJob<Kind extends JobKind>(
  ctx: Context,
  event: CompatEvent,
  kind: Kind,
  work: Pick<NewJob<Kind>, "input" | "checkpoint">,
  ...along: Write[]
): Promise<Job<Kind>> {
  const job = newJob(ctx, kind, { id: event.id, ...work, submitted_by: ctx.principal.id });
  await ctx.ports.records.write(insertJob(job), insertEvent(event), ...along);
  return job;
}

/** The event of a job, as it is now. Throws EVENT_NOT_FOUND. */
export function eventOf(home: OrgHome, { id }: Pick<Job, "id">): Promise<CompatEvent> {
  return getEvent({ ...home, viewer: undefined }, id);
}

/** An event whose job came further. */
export function advanced(event: CompatEvent, now: number, progress = event.progress): CompatEvent {
  return { ...event, updated_at: timestamp(now), ...(progress && { progress }) };
}

/** The event of a job that failed; `errors` are told besides. */
export async function tellFailure(home: OrgHome, job: Job, errors: EventFailure[] = []): Promise<Write> {
  const outcome = { status: "FAILED" as const, errors: [GIVEN_UP, ...errors] };
  return putEvent(ended(await eventOf(home, job), home.clock(), outcome));
}

/** What the handlers of all jobs with an event have in common. */
export const withEvent = {
  async onStarted(home: OrgHome, job: Job): Promise<JobWrites> {
    const now = home.clock();
    const event = await eventOf(home, job);
    const { started_at = timestamp(now) } = event;
    return { writes: [putEvent({ ...advanced(event, now), status: "RUNNING", started_at })] };
  },
  onFailed: async (home: OrgHome, job: Job): Promise<JobWrites> => ({ writes: [await tellFailure(home, job)] }),
  isMoot: (error: unknown) => error instanceof ServiceError && error.code === "EVENT_NOT_FOUND",
} satisfies Partial<JobHandler<JobKind>>;

/** The context that the caller who began the event had. */
export function actingFor(home: OrgHome, { org, by }: CompatEvent): Context {
  const principal = { ...by, org, operator: false, plan: "free" as const, permissions: [] };
  const ctx: Context = { ...home, viewer: undefined, principal };
  return by.agent === undefined ? ctx : onBehalfOf(ctx, by.agent);
}
