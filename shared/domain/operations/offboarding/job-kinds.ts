import { MINUTE_MS } from "../../../kernel/durations.ts";
import { OWNERSHIP_QUEUE } from "../../../ports/queues.ts";
import { defineJob } from "../../../runtime/jobs/kinds.ts";
import { retryAfter } from "../../../runtime/jobs/policies.ts";
import type { OwnershipChange } from "../../identity/owned-resources.ts";
import type { OwnershipTransferCheckpoint } from "./ownership.ts";

declare module "../../../runtime/jobs/kinds.ts" {
  interface JobTypes {
    ownership_transfer: { input: OwnershipChange; checkpoint: OwnershipTransferCheckpoint };
  }
}

export const OWNERSHIP_TRANSFER_JOB = defineJob("ownership_transfer", {
  queue: OWNERSHIP_QUEUE,
  // Access of a deleted user must be closed: more than a day of attempts.
  maxAttempts: 30,
  retryMs: retryAfter(10),
  leaseMs: 3 * MINUTE_MS,
  overdueMs: 10 * MINUTE_MS,
  leavesDeadLetter: true,
});
