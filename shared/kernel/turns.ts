import { FairScheduler } from "./fair-scheduler.ts";

/** The turns on this process's thread. Their number is bounded where work is admitted. */
const turns = new FairScheduler({ maxWaiting: Number.POSITIVE_INFINITY, freeTurns: 8 });

/**
 * Waits until the organization may use the thread for some milliseconds: to be called before each step of work that
 * takes longer than a read. Organizations take turns, and the event loop continues in between.
 */
export function takeTurn(org: string): Promise<void> {
  return turns.take(org);
}
