import type { OpenBucket } from "../../../shared/connections/providers/provider.ts";
import { connectionRemoval } from "../../../shared/connections/remove.ts";
import { syncConnection } from "../../../shared/connections/synchronize.ts";
import { jobConsumer } from "../../../shared/jobs/consumer.ts";
import type { Home } from "../../../shared/platform/context.ts";
import type { MessageConsumer } from "../../../shared/platform/messages.ts";

/** How long the worker goes on with one connection before it makes room for the next. */
const TURN_MS = 60_000;

/** Brings what connections have to bring, as far as the requests that asked for it did not, and whenever it is due. */
export function createSynchronizer(home: Home, openBucket: OpenBucket): MessageConsumer {
  const handlers = [syncConnection({ openBucket, turnMs: TURN_MS }), connectionRemoval];
  return jobConsumer(home, handlers, { turnMs: TURN_MS });
}
