import { exportMemories } from "../../../shared/domain/integration/transfers/export.ts";
import { importRows } from "../../../shared/domain/integration/transfers/import.ts";
import type { WorkerManifest } from "../../../shared/ports/manifest.ts";
import { COMPRESS_QUEUES, INGEST_QUEUE, sendsTo, TRANSFER_QUEUE } from "../../../shared/ports/queues.ts";
import { jobConsumer } from "../../../shared/runtime/jobs/consumer.ts";

export const worker: WorkerManifest = {
  name: "transfer-memories",
  source: { queues: { names: [TRANSFER_QUEUE], batchSize: 1, maxReceives: 5, maxConcurrency: 10 } },
  capabilities: ["records", "search", "blobs", ...sendsTo(TRANSFER_QUEUE, INGEST_QUEUE, ...COMPRESS_QUEUES), "models"],
  // A whole core, because the work is CPU-bound.
  memoryMb: 1769,
  // Each row of a batch may take as long as a model may.
  timeoutSeconds: 300,
};

/** Imports rows and writes export files. */
export const createMessageConsumer = jobConsumer([importRows, exportMemories], { turnMs: 30_000 });
