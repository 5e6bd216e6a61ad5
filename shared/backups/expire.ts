import { timestamp } from "../kernel/clock.ts";
import type { Home } from "../platform/context.ts";
import { dropArchives } from "./archives.ts";
import { listExpired, removeBackup } from "./records.ts";

/** Removes backups whose time is over; answers how many. */
export async function expireBackups(home: Home): Promise<number> {
  const expired = await listExpired(home.ports.records, timestamp(home.clock()));
  for (const backup of expired) {
    // The archives first: should this stop in between, the record still tells that there is something to remove.
    await dropArchives(home, backup.id);
    await home.ports.records.write(removeBackup(backup));
    home.logger.info("BACKUP_EXPIRED", { backup: backup.id });
  }
  return expired.length;
}
