import type { WorkerManifest } from "../../../shared/platform/manifest.ts";
import { DELIVER_QUEUE, REDELIVER_QUEUE } from "../../../shared/platform/queues.ts";
import { DELIVERY_BOUNDS } from "../../../shared/webhooks/webhook.ts";

const [, LONGEST_ATTEMPT_MS] = DELIVERY_BOUNDS.timeout_ms;

export const worker: WorkerManifest = {
  name: "deliver-webhooks",
  source: {
    queues: {
      names: [DELIVER_QUEUE, REDELIVER_QUEUE],
      batchSize: 10,
      maxReceives: 5,
      concurrency: 20,
      redeliverAfterCrash: true,
    },
  },
  capabilities: ["records", "queue", "secrets:sealing"],
  memoryMb: 512,
  // All of a batch at a time, each with some time to wait for its turn and to be written down.
  timeoutSeconds: LONGEST_ATTEMPT_MS / 1000 + 30,
};
