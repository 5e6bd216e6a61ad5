import { exportMemories } from "../../../shared/domain/integration/transfers/export.ts";
import { importRows } from "../../../shared/domain/integration/transfers/import.ts";
import type { MessageConsumer } from "../../../shared/ports/messages.ts";
import type { Runtime } from "../../../shared/runtime/context.ts";
import { jobConsumer } from "../../../shared/runtime/jobs/consumer.ts";

/** Time for rows of an import or files of an export before the next one gets its turn. */
const TURN_MS = 30_000;

/** Imports rows and writes export files. */
export function createCarrier(runtime: Runtime): MessageConsumer {
  return jobConsumer(runtime, [importRows, exportMemories], { turnMs: TURN_MS });
}
