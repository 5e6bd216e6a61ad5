import { MINUTE_MS } from "../../../kernel/durations.ts";
import { INGEST_QUEUE } from "../../../ports/queues.ts";
import { defineJob } from "../../../runtime/jobs/kinds.ts";
import { retryAfter } from "../../../runtime/jobs/policies.ts";
import type { IngestionCheckpoint, IngestionInput, RemovalCheckpoint, RemovalInput, UploadInput } from "./source.ts";

declare module "../../../runtime/jobs/kinds.ts" {
  interface JobTypes {
    ingest_source: { input: IngestionInput; checkpoint: IngestionCheckpoint };
    remove_source: { input: RemovalInput; checkpoint: RemovalCheckpoint };
    expire_upload: { input: UploadInput; checkpoint: null };
  }
}

/** Their records hold content, so deleting a source deletes them. */
const SOURCES = {
  queue: INGEST_QUEUE,
  // A PDF may take two minutes before its first chunk.
  leaseMs: 10 * MINUTE_MS,
  overdueMs: 10 * MINUTE_MS,
  keptMs: 0,
};

/** A deletion must complete: more than a day of attempts. */
const REMOVALS = { ...SOURCES, maxAttempts: 30, retryMs: retryAfter(10) };

export const INGEST_SOURCE_JOB = defineJob("ingest_source", { ...SOURCES, maxAttempts: 4, retryMs: retryAfter(5) });

export const REMOVE_SOURCE_JOB = defineJob("remove_source", REMOVALS);

export const EXPIRE_UPLOAD_JOB = defineJob("expire_upload", REMOVALS);
