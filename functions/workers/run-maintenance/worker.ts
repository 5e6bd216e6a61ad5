import { factsBackfill } from "../../../shared/domain/memory/fact-backfill.ts";
import { scanSecrets } from "../../../shared/domain/memory/scan-secrets.ts";
import { eraseOrganization } from "../../../shared/domain/operations/erasure/erase-organization.ts";
import { eraseUser } from "../../../shared/domain/operations/erasure/erase-user.ts";
import { maintenanceHandlers } from "../../../shared/domain/operations/maintenance/run.ts";
import { findPatterns } from "../../../shared/domain/patterns/find-patterns.ts";
import type { WorkerManifest } from "../../../shared/ports/manifest.ts";
import { MAINTENANCE_QUEUE, QUEUE_NAMES, sendsTo } from "../../../shared/ports/queues.ts";
import { jobConsumer } from "../../../shared/runtime/jobs/consumer.ts";

export const worker: WorkerManifest = {
  name: "run-maintenance",
  deployedName: "maintain",
  source: {
    queues: { names: [MAINTENANCE_QUEUE], batchSize: 1, maxReceives: 5, maxConcurrency: 5, redeliverAfterCrash: true },
  },
  capabilities: [
    "records",
    "inventory",
    "search",
    "blobs",
    ...sendsTo(...QUEUE_NAMES),
    "embedder",
    "reader",
    "models",
    "logs",
  ],
  memoryMb: 1024,
  // A turn of one minute plus the page started at its end.
  timeoutSeconds: 300,
};

/** Runs requested cleanups, syncs and erasures, finds patterns, applies policies for secrets, and extracts facts from memories of earlier releases. */
export const createMessageConsumer = jobConsumer(
  [...maintenanceHandlers, factsBackfill, eraseUser, eraseOrganization, findPatterns, scanSecrets],
  {
    turnMs: 60_000,
  },
);
