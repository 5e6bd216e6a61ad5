import { compressionConfig } from "../../../shared/domain/compression/stored-settings.ts";
import { MAX_PROCESSING_MS } from "../../../shared/domain/memory/jobs.ts";
import { memoryProcessing } from "../../../shared/domain/memory/pipeline.ts";
import type { WorkerManifest } from "../../../shared/ports/manifest.ts";
import { COMPRESS_QUEUES, sendsTo } from "../../../shared/ports/queues.ts";
import { jobConsumer } from "../../../shared/runtime/jobs/consumer.ts";

const BATCH_SIZE = 5;

export const worker: WorkerManifest = {
  name: "compress-memories",
  source: { queues: { names: [...COMPRESS_QUEUES], batchSize: BATCH_SIZE, maxReceives: 5, maxConcurrency: 10 } },
  capabilities: ["records", "search", "blobs", ...sendsTo(...COMPRESS_QUEUES), "models"],
  memoryMb: 512,
  // Enough even if the settings allow one at a time.
  timeoutSeconds: BATCH_SIZE * (MAX_PROCESSING_MS / 1000) + 25,
};

/** Extracts from and compresses the memories of queued jobs. */
export const createMessageConsumer = jobConsumer([memoryProcessing], {
  turnMs: MAX_PROCESSING_MS,
  width: async ({ settings }) => (await settings.read(compressionConfig)).performance.worker_pool_size,
});
