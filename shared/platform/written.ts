import { AsyncLocalStorage } from "node:async_hooks";

interface Watched {
  hasWritten: boolean;
}

const watched = new AsyncLocalStorage<Watched>();

/** Does work and tells whether it wrote any record, or may have: also where it failed, and says so by its result. */
export async function watchWrites<T>(work: () => Promise<T>): Promise<{ result: T; hasWritten: boolean }> {
  const own: Watched = { hasWritten: false };
  const result = await watched.run(own, work);
  return { result, hasWritten: own.hasWritten };
}

/** To be told by record stores, of each write that was done and of each attempt whose outcome they cannot tell. */
export function noteWrite(): void {
  const own = watched.getStore();
  if (own) own.hasWritten = true;
}
