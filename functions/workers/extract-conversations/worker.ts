import type { WorkerManifest } from "../../../shared/ports/manifest.ts";
import { REMEMBER_QUEUE } from "../../../shared/ports/queues.ts";

export const worker: WorkerManifest = {
  name: "extract-conversations",
  deployedName: "remember",
  source: { queues: { names: [REMEMBER_QUEUE], batchSize: 5, maxReceives: 5 } },
  capabilities: ["records", "search", "blobs", "queue", "embedder", "models"],
  memoryMb: 512,
  timeoutSeconds: 300,
};
