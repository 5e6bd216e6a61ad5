import type { Home } from "../platform/context.ts";
import type { SyncOptions } from "./components.ts";
import type { CleanupOptions } from "./operations.ts";
import type { Tallies } from "./plan.ts";

/** One page of a pass: what it found and did, and where it goes on; without a cursor the pass is over. */
export interface PassPage {
  tallies: Tallies;
  cursor?: string;
}

/**
 * Does one page of a pass. Doing it again must be harmless, for a crash may come before the page is noted; it must not
 * matter either what is written meanwhile.
 */
export type Pass<Options> = (home: Home, task: Task<Options>, cursor: string | undefined) => Promise<PassPage>;

export type CleanupPass = Pass<CleanupOptions>;
export type SyncPass = Pass<SyncOptions>;

/** What a pass is told of its job. */
export interface Task<Options> {
  id: string;
  options: Options;
}

/** Sums of what a page counts. */
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
