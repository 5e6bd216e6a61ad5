import { connectionRemoval } from "../../../shared/domain/knowledge/connections/remove.ts";
import { syncConnection } from "../../../shared/domain/knowledge/connections/synchronize.ts";
import type { MessageConsumer } from "../../../shared/ports/messages.ts";
import type { Runtime } from "../../../shared/runtime/context.ts";
import { jobConsumer } from "../../../shared/runtime/jobs/consumer.ts";

/** Time for one connection before the next one gets its turn. */
const TURN_MS = 60_000;

/** Syncs connections when due, and continues requested syncs. */
export function createSynchronizer(runtime: Runtime): MessageConsumer {
  const handlers = [syncConnection({ openBucket: runtime.openBucket, turnMs: TURN_MS }), connectionRemoval];
  return jobConsumer(runtime, handlers, { turnMs: TURN_MS });
}
