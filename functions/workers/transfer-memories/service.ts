import { jobConsumer } from "../../../shared/jobs/consumer.ts";
import type { Home } from "../../../shared/platform/context.ts";
import type { MessageConsumer } from "../../../shared/platform/messages.ts";
import { exportMemories } from "../../../shared/transfers/export.ts";
import { importRows } from "../../../shared/transfers/import.ts";

/** How long rows of one import, or files of one export, are written before the next one has its turn. */
const TURN_MS = 30_000;

/** Makes memories of the rows of imports, and files of what exports ask for. */
export function createCarrier(home: Home): MessageConsumer {
  return jobConsumer(home, [importRows, exportMemories], { turnMs: TURN_MS });
}
