import { timestamp } from "../kernel/clock.ts";
import type { Home } from "../platform/context.ts";
import { ConditionFailed } from "../platform/errors.ts";
import { announce } from "./queue.ts";
import { listOverdue, type Overdue, putIngestion, putRemoval } from "./records.ts";
import { expireUpload } from "./uploads.ts";

/** Longer than any worker is at work on a source in one turn. */
const OVERDUE_MS = 10 * 60_000;
/** Of each part of what is pending, in one run; the next run goes on with the rest. */
const MAX_RESUMED = 100;

/** Queues again what was begun about sources and has not ended, as when a message was lost; ends uploads that never came. */
export async function resumeOverdue(home: Home): Promise<number> {
  const now = home.clock();
  const before = timestamp(now - OVERDUE_MS);
  let resumed = 0;
  for await (const overdue of listOverdue(home.ports.records, before, MAX_RESUMED)) {
    const { org, source_id } = overdue.chore;
    try {
      await resume(home, overdue);
      resumed++;
    } catch (error) {
      // It went on in the meantime.
      if (!(error instanceof ConditionFailed))
        home.logger.error("SOURCE_NOT_RESUMED", { org, source: source_id, error });
    }
  }
  return resumed;
}

async function resume(home: Home, { kind, chore }: Overdue): Promise<void> {
  const queued_at = timestamp(home.clock());
  if (kind === "source_upload") return expireUpload({ ...home, org: chore.org }, chore);
  const write =
    kind === "source_ingestion" ? putIngestion({ ...chore, queued_at }, chore) : putRemoval({ ...chore, queued_at });
  await home.ports.records.write(write);
  await announce(home, chore);
}
