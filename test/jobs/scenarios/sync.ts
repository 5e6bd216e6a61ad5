import { expect } from "vitest";
import { SYNC_JOB } from "../../../shared/domain/operations/maintenance/job-kinds.ts";
import { BEGINNING, planSync } from "../../../shared/domain/operations/maintenance/plan.ts";
import { maintenanceHandlers } from "../../../shared/domain/operations/maintenance/run.ts";
import { OPERATOR_ORG } from "../../../shared/runtime/access/operator.ts";
import { newJob } from "../../../shared/runtime/jobs/job.ts";
import { insertJob } from "../../../shared/runtime/jobs/records.ts";
import type { JobScenario, Stage } from "../scenario.ts";
import { formerMaintenance } from "./former-maintenance.ts";

const OPTIONS = { components: ["memories" as const], full_sync: true, force_sync: false };

export const sync: JobScenario<"sync"> = {
  handlers: maintenanceHandlers,
  async begin({ runtime, request, key }: Stage) {
    await request("POST", "/memories", { key, body: { content: `Ada drinks tea number ${runtime.ids("test")}.` } });
    const job = newJob({ ...runtime, org: OPERATOR_ORG }, SYNC_JOB, {
      input: { options: OPTIONS, plan: planSync(OPTIONS) },
      checkpoint: BEGINNING,
      submitted_by: "ak_test",
    });
    await runtime.ports.records.write(insertJob(job));
    return job;
  },
  former: formerMaintenance,
  async expectDone({ runtime, request, org, key }) {
    const { body } = await request("GET", "/memories?limit=100", { key });
    const stored = body.data.memories.map(({ id }: { id: string }) => ({ org, id }));
    expect(stored.length).toBeGreaterThan(0);
    expect(await runtime.ports.search.versions(stored)).toHaveLength(stored.length);
  },
};
