import type { Home } from "../platform/context.ts";
import { INGEST_QUEUE } from "../platform/queues.ts";

/** What a message of the queue holds: that there is something to do about a source, whose records say what. */
export interface SourceMessage {
  org: string;
  source_id: string;
}

/** Tells the workers that a source waits for them. A message that cannot be sent now is sent by the sweep. */
export async function announce(
  { ports, logger }: Pick<Home, "ports" | "logger">,
  { org, source_id }: SourceMessage,
  delaySeconds = 0,
): Promise<void> {
  try {
    await ports.queue.send(INGEST_QUEUE, [{ body: { org, source_id }, delaySeconds }]);
  } catch (error) {
    logger.warn("SOURCE_NOT_QUEUED", { org, source: source_id, error });
  }
}
