import { ownershipTransfer } from "../../../shared/domain/operations/offboarding/ownership.ts";
import type { WorkerManifest } from "../../../shared/ports/manifest.ts";
import type { MessageConsumer } from "../../../shared/ports/messages.ts";
import { HAND_OVER_QUEUE } from "../../../shared/ports/queues.ts";
import type { Runtime } from "../../../shared/runtime/context.ts";
import { jobConsumer } from "../../../shared/runtime/jobs/consumer.ts";

export const worker: WorkerManifest = {
  name: "transfer-ownership",
  deployedName: "hand-over",
  source: { queues: { names: [HAND_OVER_QUEUE], batchSize: 1, maxReceives: 5, redeliverAfterCrash: true } },
  capabilities: ["records", "blobs", "queue"],
  memoryMb: 512,
  timeoutSeconds: 120,
};

/** Time for one job before the next job gets its turn. */
const TURN_MS = 60_000;

/** Transfers resources of deleted users that the request could not finish. */
export function createMessageConsumer(runtime: Runtime): MessageConsumer {
  return jobConsumer(runtime, [ownershipTransfer], { turnMs: TURN_MS });
}
