import { defineJob } from "../../../runtime/jobs/kinds.ts";
import { MAINTENANCE_JOBS } from "../../../runtime/jobs/policies.ts";
import type { CleanupOptions, MaintenanceCheckpoint, MaintenanceInput, SyncOptions } from "./plan.ts";

declare module "../../../runtime/jobs/kinds.ts" {
  interface JobTypes {
    cleanup: { input: MaintenanceInput<CleanupOptions>; checkpoint: MaintenanceCheckpoint };
    sync: { input: MaintenanceInput<SyncOptions>; checkpoint: MaintenanceCheckpoint };
  }
}

export const CLEANUP_JOB = defineJob("cleanup", MAINTENANCE_JOBS);

export const SYNC_JOB = defineJob("sync", MAINTENANCE_JOBS);
