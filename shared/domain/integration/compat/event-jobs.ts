import { timestamp } from "../../../kernel/clock.ts";
import { ServiceError } from "../../../kernel/errors.ts";
import type { Write } from "../../../ports/record-store.ts";
import { type Context, type OrgRuntime, onBehalfOf } from "../../../runtime/context.ts";
import type { JobHandler, JobWrites } from "../../../runtime/jobs/handler.ts";
import { type Job, type NewJob, newJob } from "../../../runtime/jobs/job.ts";
import type { JobDefinition, JobKind } from "../../../runtime/jobs/kinds.ts";
import { insertJob } from "../../../runtime/jobs/records.ts";
import { type CompatEvent, type EventFailure, ended, getEvent, insertEvent, putEvent } from "./events.ts";

const GIVEN_UP: EventFailure = { code: "INTERNAL_ERROR", message: "It could not be processed. Send it again." };

/** Stores an event and its job with the same id; `enqueueJob` then enqueues it. */
export async function beginEventJob<Kind extends JobKind>(
  ctx: Context,
  event: CompatEvent,
  definition: JobDefinition<Kind>,
  work: Pick<NewJob<Kind>, "input" | "checkpoint">,
  ...extraWrites: Write[]
): Promise<Job<Kind>> {
  const job = newJob(ctx, definition, { id: event.id, ...work, submitted_by: ctx.principal.id });
  await ctx.ports.records.write(insertJob(job), insertEvent(event), ...extraWrites);
  return job;
}

/** The current event of a job. Throws EVENT_NOT_FOUND. */
export function eventOf(runtime: OrgRuntime, { id }: Pick<Job, "id">): Promise<CompatEvent> {
  return getEvent({ ...runtime, viewer: undefined }, id);
}

/** An event whose job made progress. */
export function advanced(event: CompatEvent, now: number, progress = event.progress): CompatEvent {
  return { ...event, updated_at: timestamp(now), ...(progress && { progress }) };
}

/** The event of a failed job, with additional `errors`. */
export async function putFailedEvent(runtime: OrgRuntime, job: Job, errors: EventFailure[] = []): Promise<Write> {
  const outcome = { status: "FAILED" as const, errors: [GIVEN_UP, ...errors] };
  return putEvent(ended(await eventOf(runtime, job), runtime.clock(), outcome));
}

/** Shared parts of the handlers of all jobs with an event. */
export const withEvent = {
  async onStarted(runtime: OrgRuntime, job: Job): Promise<JobWrites> {
    const now = runtime.clock();
    const event = await eventOf(runtime, job);
    const { started_at = timestamp(now) } = event;
    return { writes: [putEvent({ ...advanced(event, now), status: "RUNNING", started_at })] };
  },
  onFailed: async (runtime: OrgRuntime, job: Job): Promise<JobWrites> => ({
    writes: [await putFailedEvent(runtime, job)],
  }),
  isMoot: (error: unknown) => error instanceof ServiceError && error.code === "EVENT_NOT_FOUND",
} satisfies Partial<JobHandler<JobKind>>;

/** The context of the caller who started the event. */
export function actingFor(runtime: OrgRuntime, { org, by }: CompatEvent): Context {
  const principal = { ...by, org, operator: false, plan: "free" as const, permissions: [] };
  const ctx: Context = { ...runtime, viewer: undefined, principal };
  return by.agent === undefined ? ctx : onBehalfOf(ctx, by.agent);
}
