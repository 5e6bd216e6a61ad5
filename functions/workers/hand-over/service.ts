import { ownershipTransfer } from "../../../shared/identity/ownership.ts";
import { jobConsumer } from "../../../shared/jobs/consumer.ts";
import type { Home } from "../../../shared/platform/context.ts";
import type { MessageConsumer } from "../../../shared/platform/messages.ts";

/** How long one job is worked on before the next one has its turn. */
const TURN_MS = 60_000;

/** Hands on what deleted users owned, as far as the request that deleted them did not. */
export function createHandOver(home: Home): MessageConsumer {
  return jobConsumer(home, [ownershipTransfer], { turnMs: TURN_MS });
}
