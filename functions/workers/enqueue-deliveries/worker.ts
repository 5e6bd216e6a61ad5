import { ENQUEUE_EVERY_MINUTES, enqueueDueDeliveries } from "../../../shared/domain/integration/webhooks/schedule.ts";
import type { WorkerManifest } from "../../../shared/ports/manifest.ts";
import { DELIVER_QUEUE, REDELIVER_QUEUE, sendsTo } from "../../../shared/ports/queues.ts";
import type { Runtime } from "../../../shared/runtime/context.ts";

export const worker: WorkerManifest = {
  name: "enqueue-deliveries",
  deployedName: "announce-deliveries",
  source: { schedule: { everyMinutes: ENQUEUE_EVERY_MINUTES } },
  capabilities: ["records", ...sendsTo(DELIVER_QUEUE, REDELIVER_QUEUE)],
  memoryMb: 256,
  timeoutSeconds: 60,
};

/** Creates the job that enqueues due deliveries; a late or duplicate run attempts nothing twice. */
export function createScheduledJob(runtime: Runtime): () => Promise<void> {
  return async () => {
    const enqueued = await enqueueDueDeliveries(runtime);
    if (enqueued > 0) runtime.logger.info("DELIVERIES_ENQUEUED", { deliveries: enqueued });
  };
}
