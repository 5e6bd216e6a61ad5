import { backupHandler } from "../../../shared/domain/operations/backups/make.ts";
import type { MessageConsumer } from "../../../shared/ports/messages.ts";
import type { Runtime } from "../../../shared/runtime/context.ts";
import { jobConsumer } from "../../../shared/runtime/jobs/consumer.ts";

/** Creates requested backups one after the other. */
export function createBackupMaker(runtime: Runtime): MessageConsumer {
  return jobConsumer(runtime, [backupHandler], { turnMs: 0 });
}
