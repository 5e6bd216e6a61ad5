import { expect } from "vitest";
import { OPERATOR_ORG } from "../../../shared/identity/bootstrap.ts";
import { newJob } from "../../../shared/jobs/job.ts";
import { insertJob } from "../../../shared/jobs/records.ts";
import { timestamp } from "../../../shared/kernel/clock.ts";
import { CLEANUP_OPERATIONS, planCleanup } from "../../../shared/maintenance/operations.ts";
import { BEGINNING } from "../../../shared/maintenance/plan.ts";
import { maintenanceHandlers } from "../../../shared/maintenance/run.ts";
import { memoryKey } from "../../../shared/memory/records.ts";
import type { JobScenario, Stage } from "../scenario.ts";
import { formerMaintenance } from "./former-maintenance.ts";

const AN_HOUR_MS = 3_600_000;
const orphanOf = (org: string, id: string) => ({ pk: memoryKey(org, `mem_${id}`).pk, sk: "version#000000001" });

export const cleanup: JobScenario<"cleanup"> = {
  handlers: maintenanceHandlers,
  async begin(stage: Stage) {
    const { home, org } = stage;
    const operations = CLEANUP_OPERATIONS.filter((operation) => operation !== "old_logs");
    const before = timestamp(home.clock() + AN_HOUR_MS);
    const options = { operations, dry_run: false, older_than_days: 1, before };
    const job = newJob({ ...home, org: OPERATOR_ORG }, "cleanup", {
      input: { options, plan: planCleanup(options) },
      checkpoint: BEGINNING,
      submitted_by: "ak_test",
    });
    const created_at = timestamp(home.clock());
    const orphan = { ...orphanOf(org, job.id), kind: "version", version: 1, content: "x", created_at };
    await home.ports.records.write(insertJob(job), { put: orphan });
    return job;
  },
  former: formerMaintenance,
  async expectDone({ home, org }, { id, checkpoint }) {
    expect(await home.ports.records.get(orphanOf(org, id))).toBeUndefined();
    expect(checkpoint.tallies.orphaned_memories?.items ?? 0).toBeLessThanOrEqual(1);
  },
};
