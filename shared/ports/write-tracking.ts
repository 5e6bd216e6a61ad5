import { AsyncLocalStorage } from "node:async_hooks";

interface Watched {
  hasWritten: boolean;
}

const watched = new AsyncLocalStorage<Watched>();

/** Runs work and returns whether it wrote, or may have written, any record, even if the work failed. */
export async function trackWrites<T>(work: () => Promise<T>): Promise<{ result: T; hasWritten: boolean }> {
  const own: Watched = { hasWritten: false };
  const result = await watched.run(own, work);
  return { result, hasWritten: own.hasWritten };
}

/** Called by record stores for each completed write and each attempt with an unknown outcome. */
export function markWritten(): void {
  const own = watched.getStore();
  if (own) own.hasWritten = true;
}
