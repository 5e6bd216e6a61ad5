import { beforeEach, describe, expect, it } from "vitest";
import { movableClock } from "../../../test/contract/movable-clock.ts";
import { type IdleRuntime, openIdleRuntime } from "../../../test/support/idle-runtime.ts";
import { replaced } from "../../../test/support/replaced.ts";
import { CLEANUP_JOB } from "../../domain/operations/maintenance/job-kinds.ts";
import { BEGINNING } from "../../domain/operations/maintenance/plan.ts";
import { maintenanceHandlers } from "../../domain/operations/maintenance/run.ts";
import { MINUTE_MS } from "../../kernel/durations.ts";
import { MAINTENANCE_QUEUE } from "../../ports/queues.ts";
import type { RecordStore } from "../../ports/record-store.ts";
import { OPERATOR_ORG } from "../access/operator.ts";
import { ended, type Job, newJob } from "./job.ts";
import { enqueueJob, messageOf } from "./queue.ts";
import { findJob, insertJob, replaceJob } from "./records.ts";
import { runJob } from "./run.ts";
import { sweepJobs } from "./sweep.ts";

let clock: ReturnType<typeof movableClock>;
let idle: IdleRuntime;

beforeEach(async () => {
  clock = movableClock();
  idle = await openIdleRuntime({ clock: clock.now, queues: [MAINTENANCE_QUEUE] });
});

/** Stores a cleanup that is due after this many minutes, and enqueues it. */
async function begin(minutes: number): Promise<Job<"cleanup">> {
  const { runtime } = idle;
  const options = { operations: ["old_logs" as const], dry_run: true, older_than_days: 1, before: "2026-01-01" };
  const job = newJob({ ...runtime, org: OPERATOR_ORG }, CLEANUP_JOB, {
    input: { options, plan: ["clean_logs"] },
    checkpoint: BEGINNING,
    submitted_by: "ak_test",
    delayMs: minutes * MINUTE_MS,
  });
  await runtime.ports.records.write(insertJob(job));
  await enqueueJob(runtime, job);
  return job;
}

const messages = () => idle.queue.receive(MAINTENANCE_QUEUE, 10).map(({ body }) => JSON.parse(body));
const work = (job: Job) => runJob(idle.runtime, maintenanceHandlers, messageOf(job), MINUTE_MS);

describe("a job that is due later", () => {
  it("waits in its queue for the maximum delay of a message, and is not started earlier", async () => {
    const job = await begin(10);
    expect(await work(job)).toMatchObject({ state: "queued", attempts: 0 });
    clock.advance(10 * MINUTE_MS);
    expect(messages()).toEqual([messageOf(job)]);
    expect(await work(job)).toMatchObject({ state: "completed" });
  });

  it("is enqueued by the sweep when it is due, even with a busy queue", async () => {
    const job = await begin(20);
    await begin(0);
    clock.advance(19 * MINUTE_MS);
    messages();
    expect(await sweepJobs(idle.runtime, [CLEANUP_JOB])).toBe(0);
    clock.advance(MINUTE_MS);
    expect(await sweepJobs(idle.runtime, [CLEANUP_JOB])).toBe(1);
    expect(messages()).toContainEqual(messageOf(job));
  });
});

it("ignores a job that ended after the index was read", async () => {
  const job = await begin(0);
  clock.advance(24 * 60 * MINUTE_MS);
  const { records } = idle.runtime.ports;
  const query: RecordStore["query"] = async (asked) => {
    const page = await records.query(asked);
    const found = await findJob(records, OPERATOR_ORG, job.id);
    if (page.items.length > 0 && found?.state === "queued") {
      await records.write(replaceJob(found, ended("completed", clock.now())).write);
    }
    return page;
  };
  expect(await sweepJobs(idle.runtimeWith({ records: replaced(records, { query }) }), [CLEANUP_JOB])).toBe(0);
  expect(await findJob(records, OPERATOR_ORG, job.id)).toMatchObject({ state: "completed", revision: 2 });
});
