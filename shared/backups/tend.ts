import { timestamp } from "../kernel/clock.ts";
import type { Home } from "../platform/context.ts";
import { writeUnlessChanged } from "../platform/unless-changed.ts";
import { dropArchives } from "./archives.ts";
import { announceBackup } from "./queue.ts";
import { type Backup, listExpired, listUnfinished, removeBackup, replaceBackup } from "./records.ts";

/** Longer than a message waits to be worked on where nothing is wrong. */
const OVERDUE_MS = 10 * 60_000;

/** Removes backups whose time is over, and queues those again that nobody is at; answers how many of both. */
export async function tendBackups(home: Home): Promise<{ expired: number; resumed: number }> {
  const { records } = home.ports;
  const expired = await listExpired(records, timestamp(home.clock()));
  for (const backup of expired) await remove(home, backup);
  const overdue = (await listUnfinished(records)).filter((backup) => isOverdue(backup, home.clock()));
  for (const backup of overdue) await resume(home, backup);
  return { expired: expired.length, resumed: overdue.length };
}

function isOverdue({ status, lease_until = 0, queued_at }: Backup, now: number): boolean {
  return status === "running" ? lease_until <= now : Date.parse(queued_at) + OVERDUE_MS <= now;
}

/** The archives first: should this stop in between, the record still tells that there is something to remove. */
async function remove(home: Home, backup: Backup): Promise<void> {
  await dropArchives(home, backup);
  await writeUnlessChanged(home, removeBackup(backup));
  home.logger.info("BACKUP_EXPIRED", { backup: backup.id });
}

async function resume(home: Home, backup: Backup): Promise<void> {
  const { write } = replaceBackup(backup, { queued_at: timestamp(home.clock()) });
  if (await writeUnlessChanged(home, write)) await announceBackup(home, backup.id);
}
