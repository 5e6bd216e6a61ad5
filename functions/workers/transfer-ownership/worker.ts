import type { WorkerManifest } from "../../../shared/ports/manifest.ts";
import { HAND_OVER_QUEUE } from "../../../shared/ports/queues.ts";

export const worker: WorkerManifest = {
  name: "transfer-ownership",
  deployedName: "hand-over",
  source: { queues: { names: [HAND_OVER_QUEUE], batchSize: 1, maxReceives: 5, redeliverAfterCrash: true } },
  capabilities: ["records", "blobs", "queue"],
  memoryMb: 512,
  timeoutSeconds: 120,
};
