import { timestamp } from "../kernel/clock.ts";
import type { Home } from "../platform/context.ts";
import { announce, listOverdue } from "./job.ts";
import { putOff } from "./put-off.ts";

/** Longer than any page takes, and the pause before the last attempt. */
const OVERDUE_MS = 15 * 60_000;
const MAX_RESUMED = 20;

/**
 * Queues jobs again whose message was lost, or whose worker died; answers how many. A job that again and again takes
 * its worker along is given up in the end, as one that fails: others must not wait for it for good.
 */
export async function resumeMaintenance(home: Home): Promise<number> {
  const overdue = await listOverdue(home.ports.records, timestamp(home.clock() - OVERDUE_MS), MAX_RESUMED);
  for (const job of overdue) {
    if (job.state === "queued") await announce(home, job);
    else await putOff(home, job, new Error("its worker stopped without a word"));
  }
  return overdue.length;
}
