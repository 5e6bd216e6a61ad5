import { jobConsumer } from "../../../shared/jobs/consumer.ts";
import type { Home } from "../../../shared/platform/context.ts";
import type { MessageConsumer } from "../../../shared/platform/messages.ts";
import { sourceHandlers } from "../../../shared/sources/work.ts";

/** How long chunks of one source are stored before the next one has its turn. */
const TURN_MS = 30_000;

/** Reads the sources that are too long for a request, and removes what is left of those that went. */
export function createIngester(home: Home): MessageConsumer {
  return jobConsumer(home, sourceHandlers, { turnMs: TURN_MS });
}
