import type { WorkerManifest } from "../../../shared/platform/manifest.ts";
import { INGEST_QUEUE } from "../../../shared/platform/queues.ts";

export const worker: WorkerManifest = {
  name: "ingest-sources",
  source: { queues: { names: [INGEST_QUEUE], batchSize: 1, maxReceives: 5 } },
  capabilities: ["records", "blobs", "queue", "models"],
  // A whole core, for what it does is computing.
  memoryMb: 1769,
  // A PDF may take two minutes before its first chunk.
  timeoutSeconds: 300,
};
