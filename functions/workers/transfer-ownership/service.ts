import { ownershipTransfer } from "../../../shared/domain/operations/offboarding/ownership.ts";
import type { MessageConsumer } from "../../../shared/ports/messages.ts";
import type { Runtime } from "../../../shared/runtime/context.ts";
import { jobConsumer } from "../../../shared/runtime/jobs/consumer.ts";

/** Time for one job before the next job gets its turn. */
const TURN_MS = 60_000;

/** Transfers resources of deleted users that the request could not finish. */
export function createOwnershipTransfer(runtime: Runtime): MessageConsumer {
  return jobConsumer(runtime, [ownershipTransfer], { turnMs: TURN_MS });
}
