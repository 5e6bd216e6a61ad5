import { MOST_PROCESSING_MS } from "../../../shared/memory/jobs.ts";
import type { WorkerManifest } from "../../../shared/platform/manifest.ts";
import { COMPRESS_QUEUES } from "../../../shared/platform/queues.ts";

const BATCH_SIZE = 5;

export const worker: WorkerManifest = {
  name: "compress-memories",
  source: { queues: { names: [...COMPRESS_QUEUES], batchSize: BATCH_SIZE, maxReceives: 5 } },
  capabilities: ["records", "search", "blobs", "queue", "models"],
  memoryMb: 512,
  // Enough even when the settings have it work on one at a time.
  timeoutSeconds: BATCH_SIZE * (MOST_PROCESSING_MS / 1000) + 25,
};
