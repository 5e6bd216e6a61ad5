import type { GroupSamples } from "./sample.ts";

export const maintenance: GroupSamples = {
  routes: {
    cleanUp: { body: { operations: ["temp_files"], dry_run: true } },
    sync: { body: { components: ["config"], force_sync: true } },
    scanSecrets: { body: { dry_run: true } },
    listMaintenanceJobs: { query: "limit=1" },
    listQuarantine: {},
    runQuarantined: { body: { id: "work_of_a_process_that_died" } },
  },
  additions: ["POST /admin/secrets/scan", "GET /admin/jobs", "GET /admin/quarantine", "POST /admin/quarantine/run"],
};
