import { MINUTE_MS, SECOND_MS } from "../../../kernel/durations.ts";
import { BACKUP_QUEUE } from "../../../ports/queues.ts";
import { defineJob } from "../../../runtime/jobs/kinds.ts";
import { retryAfter } from "../../../runtime/jobs/policies.ts";
import type { BackupJob } from "./records.ts";

declare module "../../../runtime/jobs/kinds.ts" {
  interface JobTypes {
    backup: BackupJob;
  }
}

export const BACKUP_JOB = defineJob("backup", {
  queue: BACKUP_QUEUE,
  maxAttempts: 3,
  retryMs: retryAfter(30),
  // Renewed every two seconds; a worker that lost the lease leaves its archive to the next one.
  leaseMs: 90 * SECOND_MS,
  overdueMs: 10 * MINUTE_MS,
  keptMs: 0,
});
