import { expect } from "vitest";
import { getEvent } from "../../../shared/domain/integration/compat/events.ts";
import { listMemoriesAfter } from "../../../shared/domain/memory/memory-lists.ts";
import type { Context } from "../../../shared/runtime/context.ts";
import type { Job, JobOf } from "../../../shared/runtime/jobs/job.ts";
import type { JobKind } from "../../../shared/runtime/jobs/kinds.ts";
import { findJob } from "../../../shared/runtime/jobs/records.ts";
import type { Stage } from "../scenario.ts";

/** The context of a caller whose id no other job has; it is also the user whose memories the job is about. */
export function newCaller({ runtime, org }: Stage): Context {
  const id = runtime.ids("test");
  const principal = { kind: "api_key", id, org, operator: false, plan: "free", permissions: [] } as const;
  return { ...runtime, org, viewer: undefined, principal };
}

/** What the memories of a user say, in order. */
export async function contentsOf({ runtime, org }: Stage, user_id: string): Promise<string[]> {
  const { memories } = await listMemoriesAfter({ ...runtime, org, viewer: undefined }, { user_id }, { limit: 1000 });
  return memories.map(({ content }) => content).sort();
}

export function eventOf({ runtime, org }: Stage, { id }: Job) {
  return getEvent({ ...runtime, org, viewer: undefined }, id);
}

export async function expectFailedEvent(stage: Stage, job: Job): Promise<void> {
  const { status, errors } = await eventOf(stage, job);
  expect([status, errors[0]?.code]).toEqual(["FAILED", "INTERNAL_ERROR"]);
}

/** The job that was stored for an event. */
export async function jobOf<Kind extends JobKind>(
  { runtime, org }: Stage,
  id: string,
  kind: Kind,
): Promise<JobOf<Kind>> {
  const job = await findJob(runtime.ports.records, org, id, { kind });
  if (!job) throw new Error(`there is no job of event ${id}`);
  return job;
}
