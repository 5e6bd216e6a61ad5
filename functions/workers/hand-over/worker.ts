import type { WorkerManifest } from "../../../shared/platform/manifest.ts";
import { HAND_OVER_QUEUE } from "../../../shared/platform/queues.ts";

export const worker: WorkerManifest = {
  name: "hand-over",
  source: { queues: { names: [HAND_OVER_QUEUE], batchSize: 1, maxReceives: 5, redeliverAfterCrash: true } },
  capabilities: ["records", "blobs", "queue"],
  memoryMb: 512,
  timeoutSeconds: 120,
};
