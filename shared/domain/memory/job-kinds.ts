import { DAY_MS, MINUTE_MS } from "../../kernel/durations.ts";
import { COMPRESS_QUEUES } from "../../ports/queues.ts";
import { defineJob } from "../../runtime/jobs/kinds.ts";
import { MAINTENANCE_JOBS, retryAfter } from "../../runtime/jobs/policies.ts";
import type { BackfillCheckpoint, BackfillInput } from "./fact-backfill.ts";
import type { MemoryJobInput } from "./jobs.ts";
import type { SecretScanCheckpoint, SecretScanInput } from "./scan-secrets.ts";

declare module "../../runtime/jobs/kinds.ts" {
  interface JobTypes {
    memory_processing: { input: MemoryJobInput; checkpoint: null };
    read_facts: { input: BackfillInput; checkpoint: BackfillCheckpoint };
    scan_secrets: { input: SecretScanInput; checkpoint: SecretScanCheckpoint };
  }
}

export const MEMORY_PROCESSING_JOB = defineJob("memory_processing", {
  queue: ({ priority }) => COMPRESS_QUEUES[priority],
  maxAttempts: 3,
  retryMs: retryAfter(30),
  leaseMs: 3 * MINUTE_MS,
  overdueMs: 10 * MINUTE_MS,
  keptMs: 14 * DAY_MS,
  list: { name: "memory", by: "state" },
  leavesDeadLetter: true,
});

export const READ_FACTS_JOB = defineJob("read_facts", MAINTENANCE_JOBS);

export const SCAN_SECRETS_JOB = defineJob("scan_secrets", MAINTENANCE_JOBS);
