import type { Home } from "../platform/context.ts";
import { REMEMBER_QUEUE } from "../platform/queues.ts";

/** What a message of the queue holds: that an event waits to be worked on, whose records say what is to be done. */
export interface EventMessage {
  org: string;
  event_id: string;
}

/** Tells the worker of a stored event. A message that cannot be sent now is sent by the sweep. */
export async function announce(
  { ports, logger }: Pick<Home, "ports" | "logger">,
  { org, event_id }: EventMessage,
  delaySeconds = 0,
): Promise<void> {
  try {
    await ports.queue.send(REMEMBER_QUEUE, [{ body: { org, event_id }, delaySeconds }]);
  } catch (error) {
    logger.warn("EVENT_NOT_QUEUED", { org, event: event_id, error });
  }
}
