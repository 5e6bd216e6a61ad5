import { enqueueDueDeliveries } from "../../../shared/domain/integration/webhooks/schedule.ts";
import type { Runtime } from "../../../shared/runtime/context.ts";

/** Creates the job that enqueues due deliveries; a late or duplicate run attempts nothing twice. */
export function createAnnouncer(runtime: Runtime): () => Promise<void> {
  return async () => {
    const announced = await enqueueDueDeliveries(runtime);
    if (announced > 0) runtime.logger.info("DELIVERIES_ANNOUNCED", { deliveries: announced });
  };
}
