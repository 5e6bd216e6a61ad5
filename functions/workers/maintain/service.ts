import { eraseUser } from "../../../shared/erasure/erase-user.ts";
import { factsBackfill } from "../../../shared/facts/backfill.ts";
import { jobConsumer } from "../../../shared/jobs/consumer.ts";
import { maintenanceHandlers } from "../../../shared/maintenance/run.ts";
import type { Home } from "../../../shared/platform/context.ts";
import type { MessageConsumer } from "../../../shared/platform/messages.ts";

/** How long one job is worked on before the next one has its turn. */
const TURN_MS = 60_000;

/** Does the clean-ups, syncs and erasures that were asked for, and reads the facts of memories that earlier releases stored. */
export function createMaintainer(home: Home): MessageConsumer {
  return jobConsumer(home, [...maintenanceHandlers, factsBackfill, eraseUser], { turnMs: TURN_MS });
}
