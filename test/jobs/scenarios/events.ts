import { expect } from "vitest";
import { getEvent } from "../../../shared/compat/events.ts";
import type { Job, JobOf } from "../../../shared/jobs/job.ts";
import type { JobKind } from "../../../shared/jobs/kinds.ts";
import { findJob } from "../../../shared/jobs/records.ts";
import { listMemoriesAfter } from "../../../shared/memory/records.ts";
import type { Context } from "../../../shared/platform/context.ts";
import type { Stage } from "../scenario.ts";

/** The context of a caller whose id no other job has; it is also the user whose memories the job is about. */
export function newCaller({ home, org }: Stage): Context {
  const id = home.ids("test");
  const principal = { kind: "api_key", id, org, operator: false, plan: "free", permissions: [] } as const;
  return { ...home, org, viewer: undefined, principal };
}

/** What the memories of a user say, in order. */
export async function contentsOf({ home, org }: Stage, user_id: string): Promise<string[]> {
  const { memories } = await listMemoriesAfter({ ...home, org, viewer: undefined }, { user_id }, { limit: 1000 });
  return memories.map(({ content }) => content).sort();
}

export function eventOf({ home, org }: Stage, { id }: Job) {
  return getEvent({ ...home, org, viewer: undefined }, id);
}

export async function expectFailedEvent(stage: Stage, job: Job): Promise<void> {
  const { status, errors } = await eventOf(stage, job);
  expect([status, errors[0]?.code]).toEqual(["FAILED", "INTERNAL_ERROR"]);
}

/** The job that was stored for an event. */
export async function jobOf<Kind extends JobKind>({ home, org }: Stage, id: string, kind: Kind): Promise<JobOf<Kind>> {
  const job = await findJob(home.ports.records, org, id, kind);
  if (!job) throw new Error(`there is no job of event ${id}`);
  return job;
}
