import { timestamp } from "../kernel/clock.ts";
import type { Home } from "../platform/context.ts";
import { listOverdueEvents, moveEvent } from "./events.ts";
import { announce } from "./queue.ts";

/** Longer than any worker takes from one step to the next. */
const OVERDUE_MS = 10 * 60_000;
/** Of each part of what is pending, in one run; the next run goes on with the rest. */
const MAX_RESUMED = 100;

/** Announces events again that nobody was heard of for so long, as when a message was lost. */
export async function resumeOverdueEvents(home: Home): Promise<number> {
  let resumed = 0;
  const before = timestamp(home.clock() - OVERDUE_MS);
  for await (const event of listOverdueEvents(home.ports.records, before, MAX_RESUMED)) {
    const again = await moveEvent(home, { ...event, updated_at: timestamp(home.clock()) });
    if (!again) continue;
    await announce(home, { org: event.org, event_id: event.id });
    resumed += 1;
  }
  return resumed;
}
