import type { Runtime } from "../../../runtime/context.ts";
import type { CleanupOptions, SyncOptions, Tallies } from "./plan.ts";

/** The result of one page of a pass and its cursor; without a cursor the pass is over. */
export interface PassPage {
  tallies: Tallies;
  cursor?: string;
}

/**
 * Processes one page of a pass. It must be idempotent, because a crash may happen before the page is recorded, and safe
 * with concurrent writes.
 */
export type Pass<Options> = (runtime: Runtime, task: Task<Options>, cursor: string | undefined) => Promise<PassPage>;

export type CleanupPass = Pass<CleanupOptions>;
export type SyncPass = Pass<SyncOptions>;

/** The job as a pass sees it. */
export interface Task<Options> {
  id: string;
  options: Options;
}

/** Sums a page's counts. */
export class Tally {
  readonly tallies: Tallies = {};

  add(area: string, what: string, amount = 1): void {
    if (amount === 0) return;
    const own = this.tallies[area] ?? {};
    own[what] = (own[what] ?? 0) + amount;
    this.tallies[area] = own;
  }
}

export function sumOf(one: Tallies, other: Tallies): Tallies {
  const sum = new Tally();
  for (const tallies of [one, other]) {
    for (const [area, own] of Object.entries(tallies)) {
      for (const [what, amount] of Object.entries(own)) sum.add(area, what, amount);
    }
  }
  return sum.tallies;
}
