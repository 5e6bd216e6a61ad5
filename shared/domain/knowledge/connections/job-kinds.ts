import { MINUTE_MS } from "../../../kernel/durations.ts";
import { SYNC_QUEUE } from "../../../ports/queues.ts";
import { defineJob } from "../../../runtime/jobs/kinds.ts";
import { retryAfter } from "../../../runtime/jobs/policies.ts";
import type { RemovalCheckpoint, RemovalInput, SyncCheckpoint, SyncInput } from "./connection.ts";

declare module "../../../runtime/jobs/kinds.ts" {
  interface JobTypes {
    sync_connection: { input: SyncInput; checkpoint: SyncCheckpoint };
    remove_connection: { input: RemovalInput; checkpoint: RemovalCheckpoint };
  }
}

/** Their records describe documents, so deleting a connection deletes them. */
const CONNECTIONS = { queue: SYNC_QUEUE, leaseMs: 6 * MINUTE_MS, overdueMs: 10 * MINUTE_MS, keptMs: 0 };

export const SYNC_CONNECTION_JOB = defineJob("sync_connection", {
  ...CONNECTIONS,
  // Another run follows a failed one.
  maxAttempts: 3,
  retryMs: (attempts) => 5 * MINUTE_MS * 2 ** (attempts - 1),
});

export const REMOVE_CONNECTION_JOB = defineJob("remove_connection", {
  ...CONNECTIONS,
  maxAttempts: 30,
  retryMs: retryAfter(10),
});
