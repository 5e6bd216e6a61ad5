import { DELIVERY_BOUNDS } from "../../../shared/domain/integration/webhooks/webhook.ts";
import type { WorkerManifest } from "../../../shared/ports/manifest.ts";
import { DELIVER_QUEUE, REDELIVER_QUEUE } from "../../../shared/ports/queues.ts";

const [, MAX_ATTEMPT_MS] = DELIVERY_BOUNDS.timeout_ms;

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
  // A whole batch at once, with some time to wait for slots and to store the results.
  timeoutSeconds: MAX_ATTEMPT_MS / 1000 + 30,
};
