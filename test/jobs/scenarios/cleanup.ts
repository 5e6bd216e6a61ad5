import { expect } from "vitest";
import { memoryKey } from "../../../shared/domain/memory/memory-keys.ts";
import { CLEANUP_JOB } from "../../../shared/domain/operations/maintenance/job-kinds.ts";
import { BEGINNING, CLEANUP_OPERATIONS, planCleanup } from "../../../shared/domain/operations/maintenance/plan.ts";
import { maintenanceHandlers } from "../../../shared/domain/operations/maintenance/run.ts";
import { timestamp } from "../../../shared/kernel/clock.ts";
import { OPERATOR_ORG } from "../../../shared/runtime/access/operator.ts";
import { newJob } from "../../../shared/runtime/jobs/job.ts";
import { insertJob } from "../../../shared/runtime/jobs/records.ts";
import type { JobScenario, Stage } from "../scenario.ts";
import { formerMaintenance } from "./former-maintenance.ts";

const AN_HOUR_MS = 3_600_000;
const orphanOf = (org: string, id: string) => ({ pk: memoryKey(org, `mem_${id}`).pk, sk: "version#000000001" });

export const cleanup: JobScenario<"cleanup"> = {
  handlers: maintenanceHandlers,
  async begin(stage: Stage) {
    const { runtime, org } = stage;
    const operations = CLEANUP_OPERATIONS.filter((operation) => operation !== "old_logs");
    const before = timestamp(runtime.clock() + AN_HOUR_MS);
    const options = { operations, dry_run: false, older_than_days: 1, before };
    const job = newJob({ ...runtime, org: OPERATOR_ORG }, CLEANUP_JOB, {
      input: { options, plan: planCleanup(options) },
      checkpoint: BEGINNING,
      submitted_by: "ak_test",
    });
    const created_at = timestamp(runtime.clock());
    const orphan = { ...orphanOf(org, job.id), kind: "version", version: 1, content: "x", created_at };
    await runtime.ports.records.write(insertJob(job), { put: orphan });
    return job;
  },
  former: formerMaintenance,
  async expectDone({ runtime, org }, { id, checkpoint }) {
    expect(await runtime.ports.records.get(orphanOf(org, id))).toBeUndefined();
    expect(checkpoint.tallies.orphaned_memories?.items ?? 0).toBeLessThanOrEqual(1);
  },
};
