import type { Home } from "../platform/context.ts";
import { SYNC_QUEUE } from "../platform/queues.ts";

/** What a message of the queue holds: that there is something to do about a connection, whose records say what. */
export interface ConnectionMessage {
  org: string;
  connection_id: string;
}

/** The queue's own limit; the sweep sees to what is due later. */
const LONGEST_DELAY_SECONDS = 900;

/** Tells the worker that a connection waits for it. A message that cannot be sent now is sent by the sweep. */
export async function announce(
  { ports, logger }: Pick<Home, "ports" | "logger">,
  { org, connection_id }: ConnectionMessage,
  delayMs = 0,
): Promise<void> {
  const delaySeconds = Math.ceil(Math.max(0, delayMs) / 1000);
  if (delaySeconds > LONGEST_DELAY_SECONDS) return;
  try {
    await ports.queue.send(SYNC_QUEUE, [{ body: { org, connection_id }, delaySeconds }]);
  } catch (error) {
    logger.warn("CONNECTION_NOT_QUEUED", { org, connection: connection_id, error });
  }
}
