import * as z from "zod";
import type { Home } from "../platform/context.ts";
import { TRANSFER_QUEUE } from "../platform/queues.ts";

/** What a message of the queue holds: that an import or an export is to go on; its record says from where. */
export const TransferMessage = z.object({ org: z.string(), id: z.string() });

type TransferMessage = z.infer<typeof TransferMessage>;

/** Tells the workers that a transfer waits for them. A message that cannot be sent now is sent by the sweep. */
export async function announce(
  { ports, logger }: Pick<Home, "ports" | "logger">,
  { org, id }: TransferMessage,
  delaySeconds = 0,
): Promise<void> {
  try {
    await ports.queue.send(TRANSFER_QUEUE, [{ body: { org, id }, delaySeconds }]);
  } catch (error) {
    logger.warn("TRANSFER_NOT_QUEUED", { org, transfer: id, error });
  }
}
