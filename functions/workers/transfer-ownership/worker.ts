import { ownershipTransfer } from "../../../shared/domain/operations/offboarding/ownership.ts";
import type { WorkerManifest } from "../../../shared/ports/manifest.ts";
import { OWNERSHIP_QUEUE, sendsTo } from "../../../shared/ports/queues.ts";
import { jobConsumer } from "../../../shared/runtime/jobs/consumer.ts";

export const worker: WorkerManifest = {
  name: "transfer-ownership",
  deployedName: "hand-over",
  source: {
    queues: { names: [OWNERSHIP_QUEUE], batchSize: 1, maxReceives: 5, maxConcurrency: 5, redeliverAfterCrash: true },
  },
  capabilities: ["records", "blobs", ...sendsTo(OWNERSHIP_QUEUE)],
  memoryMb: 512,
  timeoutSeconds: 120,
};

/** Transfers resources of deleted users that the request could not finish. */
export const createMessageConsumer = jobConsumer([ownershipTransfer], { turnMs: 60_000 });
