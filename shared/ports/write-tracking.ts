import { AsyncLocalStorage } from "node:async_hooks";

interface Tracker {
  hasWritten: boolean;
}

const trackers = new AsyncLocalStorage<Tracker>();

/** Runs work; returns its result, and whether it wrote, or may have written, any record. */
export async function trackWrites<T>(work: () => Promise<T>): Promise<{ result: T; hasWritten: boolean }> {
  const tracker: Tracker = { hasWritten: false };
  const result = await trackers.run(tracker, work);
  return { result, hasWritten: tracker.hasWritten };
}

/** Called by record stores for each completed write and each attempt with an unknown outcome. */
export function markWritten(): void {
  const tracker = trackers.getStore();
  if (tracker) tracker.hasWritten = true;
}
