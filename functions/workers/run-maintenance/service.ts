import { factsBackfill } from "../../../shared/domain/memory/fact-backfill.ts";
import { eraseUser } from "../../../shared/domain/operations/erasure/erase-user.ts";
import { maintenanceHandlers } from "../../../shared/domain/operations/maintenance/run.ts";
import type { MessageConsumer } from "../../../shared/ports/messages.ts";
import type { Runtime } from "../../../shared/runtime/context.ts";
import { jobConsumer } from "../../../shared/runtime/jobs/consumer.ts";

/** Time for one job before the next job gets its turn. */
const TURN_MS = 60_000;

/** Runs requested cleanups, syncs and erasures, and extracts facts from memories of earlier releases. */
export function createMaintainer(runtime: Runtime): MessageConsumer {
  return jobConsumer(runtime, [...maintenanceHandlers, factsBackfill, eraseUser], { turnMs: TURN_MS });
}
