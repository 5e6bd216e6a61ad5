import type { Home } from "../platform/context.ts";
import { BACKUP_QUEUE } from "../platform/queues.ts";

/** Tells the worker that a backup is to be made. A message that cannot be sent now is sent by the sweep. */
export async function announceBackup(
  { ports, logger }: Pick<Home, "ports" | "logger">,
  backup_id: string,
  delaySeconds = 0,
): Promise<void> {
  try {
    await ports.queue.send(BACKUP_QUEUE, [{ body: { backup_id }, delaySeconds }]);
  } catch (error) {
    logger.warn("BACKUP_NOT_QUEUED", { backup: backup_id, error });
  }
}
