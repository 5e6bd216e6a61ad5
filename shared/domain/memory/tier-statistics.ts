import type { RecordStore } from "../../ports/record-store.ts";
import type { Runtime } from "../../runtime/context.ts";
import { countEvent, DEPLOYMENT, readTotal, type Subject } from "../../runtime/stats/series.ts";
import { type Migration, TIERS } from "../compression/tiers.ts";

const subjectOf = (scope: string): Subject => ({ scope, name: "tiers" });

/** Counts moves between tiers, of an organization and of the deployment. */
export function countMigrations(runtime: Pick<Runtime, "rollups" | "clock">, org: string, moved: Migration[]) {
  if (moved.length === 0) return;
  const counts: Record<string, number> = {};
  for (const { from, to } of moved) counts[pathOf(from, to)] = (counts[pathOf(from, to)] ?? 0) + 1;
  for (const scope of [org, DEPLOYMENT]) countEvent(runtime.rollups, subjectOf(scope), runtime.clock(), counts);
}

const pathOf = (from: string, to: string) => `${from}_to_${to}`;

/** Returns the numbers of an organization's moves: in total, by direction, and by path (`working_to_hot`). */
export async function readMigrations(records: RecordStore, org: string) {
  const by_path = await readTotal(records, subjectOf(org));
  const sum = (includes: (from: number, to: number) => boolean) =>
    TIERS.flatMap((from, fromIndex) =>
      TIERS.map((to, toIndex) => (includes(fromIndex, toIndex) ? (by_path[pathOf(from, to)] ?? 0) : 0)),
    ).reduce((total, count) => total + count, 0);
  const last = TIERS.length - 1;
  return {
    total: sum(() => true),
    promoted: sum((from, to) => to < from),
    demoted: sum((from, to) => to > from),
    archived: sum((_, to) => to === last),
    recalled: sum((from) => from === last),
    by_path,
  };
}
