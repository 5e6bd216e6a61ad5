import { expect } from "vitest";
import { findPatterns } from "../../../shared/domain/patterns/find-patterns.ts";
import { FIND_PATTERNS_JOB } from "../../../shared/domain/patterns/job-kinds.ts";
import { timestamp } from "../../../shared/kernel/clock.ts";
import { newJob } from "../../../shared/runtime/jobs/job.ts";
import { insertJob } from "../../../shared/runtime/jobs/records.ts";
import type { JobScenario, Stage } from "../scenario.ts";

const DAYS = ["2026-03-02", "2026-04-01", "2026-05-06"];

export const find_patterns: JobScenario<"find_patterns"> = {
  handlers: [findPatterns],
  async begin({ runtime, org, key, request }: Stage) {
    const user_id = runtime.ids("test");
    for (const day of DAYS) {
      const body = { content: "I flew to Lisbon.", user_id, occurred_at: `${day}T09:00:00Z` };
      expect((await request("POST", "/memories", { key, body })).status).toBe(201);
    }
    const input = { user_id, due_at: timestamp(runtime.clock()) };
    const job = newJob({ ...runtime, org }, FIND_PATTERNS_JOB, { input, checkpoint: null, submitted_by: org });
    await runtime.ports.records.write(insertJob(job));
    return job;
  },
  async expectDone({ key, request }, { input: { user_id } }) {
    const { body } = await request("GET", `/patterns?user_id=${user_id}`, { key });
    const found = body.data.patterns.filter(({ label }: { label: string }) => label === "flew + Lisbon");
    expect(found).toMatchObject([{ days: DAYS.length, version: 1 }]);
  },
};
