import type { WorkerManifest } from "../../../shared/ports/manifest.ts";
import { BACKUP_QUEUE } from "../../../shared/ports/queues.ts";

export const worker: WorkerManifest = {
  name: "make-backups",
  source: { queues: { names: [BACKUP_QUEUE], batchSize: 1, maxReceives: 5 } },
  capabilities: [
    "records",
    "inventory",
    "inventory:export",
    "search",
    "blobs",
    "queue",
    "secrets:bootstrap",
    "secrets:sealing",
    "secrets:providers",
    "secrets:backups",
  ],
  // A whole core, because the work is mostly compression.
  memoryMb: 1769,
  timeoutSeconds: 900,
};
