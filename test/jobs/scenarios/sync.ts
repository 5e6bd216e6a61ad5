import { expect } from "vitest";
import { OPERATOR_ORG } from "../../../shared/identity/bootstrap.ts";
import { newJob } from "../../../shared/jobs/job.ts";
import { insertJob } from "../../../shared/jobs/records.ts";
import { planSync } from "../../../shared/maintenance/components.ts";
import { BEGINNING } from "../../../shared/maintenance/plan.ts";
import { maintenanceHandlers } from "../../../shared/maintenance/run.ts";
import type { JobScenario, Stage } from "../scenario.ts";
import { formerMaintenance } from "./former-maintenance.ts";

const OPTIONS = { components: ["memories" as const], full_sync: true, force_sync: false };

export const sync: JobScenario<"sync"> = {
  handlers: maintenanceHandlers,
  async begin({ home, request, key }: Stage) {
    await request("POST", "/memories", { key, body: { content: `Ada drinks tea number ${home.ids("test")}.` } });
    const job = newJob({ ...home, org: OPERATOR_ORG }, "sync", {
      input: { options: OPTIONS, plan: planSync(OPTIONS) },
      checkpoint: BEGINNING,
      submitted_by: "ak_test",
    });
    await home.ports.records.write(insertJob(job));
    return job;
  },
  former: formerMaintenance,
  async expectDone({ home, request, org, key }) {
    const { body } = await request("GET", "/memories?limit=100", { key });
    const stored = body.data.memories.map(({ id }: { id: string }) => ({ org, id }));
    expect(stored.length).toBeGreaterThan(0);
    expect(await home.ports.search.versions(stored)).toHaveLength(stored.length);
  },
};
