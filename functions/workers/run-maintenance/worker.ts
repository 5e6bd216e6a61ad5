import type { WorkerManifest } from "../../../shared/ports/manifest.ts";
import { MAINTENANCE_QUEUE } from "../../../shared/ports/queues.ts";

export const worker: WorkerManifest = {
  name: "run-maintenance",
  deployedName: "maintain",
  source: { queues: { names: [MAINTENANCE_QUEUE], batchSize: 1, maxReceives: 5, redeliverAfterCrash: true } },
  capabilities: ["records", "inventory", "search", "blobs", "queue", "embedder", "logs"],
  memoryMb: 1024,
  // A turn of one minute plus the page started at its end.
  timeoutSeconds: 300,
};
