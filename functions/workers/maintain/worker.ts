import type { WorkerManifest } from "../../../shared/platform/manifest.ts";
import { MAINTENANCE_QUEUE } from "../../../shared/platform/queues.ts";

export const worker: WorkerManifest = {
  name: "maintain",
  source: { queues: { names: [MAINTENANCE_QUEUE], batchSize: 1, maxReceives: 5, redeliverAfterCrash: true } },
  capabilities: ["records", "inventory", "search", "blobs", "queue", "embedder", "logs"],
  memoryMb: 1024,
  // A turn of a minute, and the page that is begun at its end.
  timeoutSeconds: 300,
};
