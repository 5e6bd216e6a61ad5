import type { WorkerManifest } from "../../../shared/ports/manifest.ts";
import { SYNC_QUEUE } from "../../../shared/ports/queues.ts";

export const worker: WorkerManifest = {
  name: "sync-connections",
  source: { queues: { names: [SYNC_QUEUE], batchSize: 1, maxReceives: 5 } },
  capabilities: ["records", "blobs", "queue", "models", "secrets:sealing", "secrets:providers"],
  memoryMb: 1024,
  timeoutSeconds: 300,
};
