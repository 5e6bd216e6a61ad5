import type { Runtime } from "../../../runtime/context.ts";
import type { CleanupOptions, SyncOptions, Tallies } from "./plan.ts";

/**
 * Processes one page of a pass and counts what it does. Returns the cursor of the next page; without one the pass is
 * over. It must be idempotent, because a crash may happen before the page is recorded, and safe with concurrent writes.
 */
export type Pass<Options> = (
  runtime: Runtime,
  task: Task<Options>,
  tally: Tally,
  cursor: string | undefined,
) => Promise<string | undefined>;

export type CleanupPass = Pass<CleanupOptions>;
export type SyncPass = Pass<SyncOptions>;

/** The job as a pass sees it. */
export interface Task<Options> {
  id: string;
  options: Options;
}

/** Adds the counts of a page to the earlier counts. */
export class Tally {
  readonly tallies: Tallies;

  constructor(before: Tallies) {
    this.tallies = structuredClone(before);
  }

  add(area: string, what: string, amount = 1): void {
    if (amount === 0) return;
    const counts = this.tallies[area] ?? {};
    counts[what] = (counts[what] ?? 0) + amount;
    this.tallies[area] = counts;
  }
}
