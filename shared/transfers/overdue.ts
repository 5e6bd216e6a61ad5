import { timestamp } from "../kernel/clock.ts";
import type { Home } from "../platform/context.ts";
import { ConditionFailed } from "../platform/errors.ts";
import { announce } from "./queue.ts";
import { listOverdue, putTransfer } from "./records.ts";

/** Longer than any worker is at work on a transfer in one turn. */
const OVERDUE_MS = 10 * 60_000;
/** In one run; the next run goes on with the rest. */
const MAX_RESUMED = 100;

/** Queues transfers again that have not ended and nobody is at work on, as when a message was lost; answers how many. */
export async function resumeTransfers(home: Home): Promise<number> {
  const now = home.clock();
  const overdue = await listOverdue(home.ports.records, timestamp(now - OVERDUE_MS), MAX_RESUMED);
  let resumed = 0;
  for (const transfer of overdue) {
    try {
      await home.ports.records.write(putTransfer({ ...transfer, queued_at: timestamp(now) }, transfer));
      await announce(home, transfer);
      resumed++;
    } catch (error) {
      // It went on in the meantime.
      if (error instanceof ConditionFailed) continue;
      home.logger.error("TRANSFER_NOT_RESUMED", { org: transfer.org, transfer: transfer.id, error });
    }
  }
  return resumed;
}
