import type { WorkerManifest } from "../../../shared/platform/manifest.ts";
import { TRANSFER_QUEUE } from "../../../shared/platform/queues.ts";

export const worker: WorkerManifest = {
  name: "transfer-memories",
  source: { queues: { names: [TRANSFER_QUEUE], batchSize: 1, maxReceives: 5 } },
  capabilities: ["records", "search", "blobs", "queue", "models"],
  // A whole core, for what it does is computing.
  memoryMb: 1769,
  // A batch of rows may each take as long as a model may.
  timeoutSeconds: 300,
};
