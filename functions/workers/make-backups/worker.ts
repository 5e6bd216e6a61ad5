import { backupHandler } from "../../../shared/domain/operations/backups/make.ts";
import type { WorkerManifest } from "../../../shared/ports/manifest.ts";
import { BACKUP_QUEUE, sendsTo } from "../../../shared/ports/queues.ts";
import { jobConsumer } from "../../../shared/runtime/jobs/consumer.ts";

export const worker: WorkerManifest = {
  name: "make-backups",
  source: { queues: { names: [BACKUP_QUEUE], batchSize: 1, maxReceives: 5, maxConcurrency: 2 } },
  capabilities: [
    "records",
    "inventory",
    "inventory:export",
    "search",
    "blobs",
    ...sendsTo(BACKUP_QUEUE),
    "secrets:bootstrap",
    "secrets:sealing",
    "secrets:providers",
    "secrets:backups",
  ],
  // A whole core, because the work is mostly compression.
  memoryMb: 1769,
  timeoutSeconds: 900,
};

/** Creates requested backups one after the other. */
export const createMessageConsumer = jobConsumer([backupHandler], { turnMs: 0 });
