import { backupHandler } from "../../../shared/backups/make.ts";
import { jobConsumer } from "../../../shared/jobs/consumer.ts";
import type { Home } from "../../../shared/platform/context.ts";
import type { MessageConsumer } from "../../../shared/platform/messages.ts";

/** Makes the backups that were asked for, one after the other. */
export function createBackupMaker(home: Home): MessageConsumer {
  return jobConsumer(home, [backupHandler], { turnMs: 0 });
}
