import { sourceHandlers } from "../../../shared/domain/knowledge/sources/work.ts";
import type { MessageConsumer } from "../../../shared/ports/messages.ts";
import type { Runtime } from "../../../shared/runtime/context.ts";
import { jobConsumer } from "../../../shared/runtime/jobs/consumer.ts";

/** Time for chunks of one source before the next source gets its turn. */
const TURN_MS = 30_000;

/** Processes sources that are too long for a request, and deletes the rest of removed ones. */
export function createIngester(runtime: Runtime): MessageConsumer {
  return jobConsumer(runtime, sourceHandlers, { turnMs: TURN_MS });
}
