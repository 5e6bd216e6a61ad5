import { MAX_PROCESSING_MS } from "../../../shared/domain/memory/jobs.ts";
import type { WorkerManifest } from "../../../shared/ports/manifest.ts";
import { COMPRESS_QUEUES } from "../../../shared/ports/queues.ts";

const BATCH_SIZE = 5;

export const worker: WorkerManifest = {
  name: "compress-memories",
  source: { queues: { names: [...COMPRESS_QUEUES], batchSize: BATCH_SIZE, maxReceives: 5 } },
  capabilities: ["records", "search", "blobs", "queue", "models"],
  memoryMb: 512,
  // Enough even if the settings allow one at a time.
  timeoutSeconds: BATCH_SIZE * (MAX_PROCESSING_MS / 1000) + 25,
};
