import type { Home } from "../../../shared/platform/context.ts";
import { announceDueDeliveries } from "../../../shared/webhooks/schedule.ts";

/** Makes what announces deliveries that are due: by a run that comes late or twice nothing is attempted twice. */
export function createAnnouncer(home: Home): () => Promise<void> {
  return async () => {
    const announced = await announceDueDeliveries(home);
    if (announced > 0) home.logger.info("DELIVERIES_ANNOUNCED", { deliveries: announced });
  };
}
