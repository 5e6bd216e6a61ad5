import { timestamp } from "../../../kernel/clock.ts";
import type { Runtime } from "../../../runtime/context.ts";
import { dropArchives } from "./archives.ts";
import { listExpired, removeBackup } from "./records.ts";

/** Deletes expired backups; returns their number. */
export async function expireBackups(runtime: Runtime): Promise<number> {
  const expired = await listExpired(runtime.ports.records, timestamp(runtime.clock()));
  for (const backup of expired) {
    // The archives first: after an interruption, the record still shows that something remains to be deleted.
    await dropArchives(runtime, backup.id);
    await runtime.ports.records.write(removeBackup(backup));
    runtime.logger.info("BACKUP_EXPIRED", { backup: backup.id });
  }
  return expired.length;
}
