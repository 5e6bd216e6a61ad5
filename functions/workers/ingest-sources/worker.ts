import { sourceHandlers } from "../../../shared/domain/knowledge/sources/work.ts";
import type { WorkerManifest } from "../../../shared/ports/manifest.ts";
import { COMPRESS_QUEUES, INGEST_QUEUE, sendsTo } from "../../../shared/ports/queues.ts";
import { jobConsumer } from "../../../shared/runtime/jobs/consumer.ts";

export const worker: WorkerManifest = {
  name: "ingest-sources",
  source: { queues: { names: [INGEST_QUEUE], batchSize: 1, maxReceives: 5, maxConcurrency: 20 } },
  capabilities: ["records", "blobs", ...sendsTo(INGEST_QUEUE, ...COMPRESS_QUEUES), "models"],
  // A whole core, because the work is CPU-bound.
  memoryMb: 1769,
  // A PDF may take two minutes before its first chunk.
  timeoutSeconds: 300,
};

/** Processes sources that are too long for a request, and deletes the rest of removed sources. */
export const createMessageConsumer = jobConsumer(sourceHandlers, { turnMs: 30_000 });
