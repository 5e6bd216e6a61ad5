import { MAX_ATTEMPTS } from "../../../shared/compat/work.ts";
import type { WorkerManifest } from "../../../shared/platform/manifest.ts";
import { REMEMBER_QUEUE } from "../../../shared/platform/queues.ts";

export const worker: WorkerManifest = {
  name: "remember",
  source: { queues: { names: [REMEMBER_QUEUE], batchSize: 5, maxReceives: MAX_ATTEMPTS } },
  capabilities: ["records", "search", "blobs", "queue", "embedder", "models"],
  memoryMb: 512,
  timeoutSeconds: 300,
};
