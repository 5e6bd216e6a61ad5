import { timestamp } from "../kernel/clock.ts";
import { fromItem } from "../platform/item.ts";
import { AFTER_ANY_ID } from "../platform/listing.ts";
import type { RecordKey, RecordStore } from "../platform/ports.ts";
import { bucketOf, sumCounters } from "./histogram.ts";
import type { Rollups } from "./rollups.ts";

/** Scope of what is counted of all organizations together. */
export const DEPLOYMENT = "deployment";

/** What is counted, e.g. `compression`, within an organization or (DEPLOYMENT) across all. */
export interface Subject {
  scope: string;
  name: string;
}

export type Granularity = "hour" | "day";

/** Minutes are for what is looked at as it happens, and kept for no longer. */
type Stretch = Granularity | "minute";

/** Characters of an ISO timestamp that name its minute, hour or day. */
const NAMED_BY: Record<Stretch, number> = { minute: 16, hour: 13, day: 10 };
/** What an ISO timestamp goes on with at the beginning of its minute, hour or day. */
const BEGINNING: Record<Stretch, string> = { minute: ":00.000Z", hour: ":00:00.000Z", day: "T00:00:00.000Z" };
const MOST_POINTS = 1000;
const DAY_SECONDS = 86_400;

const pkOf = ({ scope, name }: Subject): string => `${scope}#rollup#${name}`;

/** Where something is counted in one minute, hour or day, or in all. */
export function keyOf(subject: Subject, granularity: Stretch | "total", now: number): RecordKey {
  const sk = granularity === "total" ? "total" : `${granularity}#${timestamp(now).slice(0, NAMED_BY[granularity])}`;
  return { pk: pkOf(subject), sk };
}

/**
 * Counts something that happened: in its hour, its day and in all, with its duration where it has one. Hours and days
 * go `keptDays` after something was last counted in them, where told; the total stays.
 */
export function countEvent(
  rollups: Pick<Rollups, "count">,
  subject: Subject,
  now: number,
  counts: Record<string, number>,
  durationMs?: number,
  keptDays?: number,
): void {
  const duration: Record<string, number> =
    durationMs === undefined ? {} : { [bucketOf(durationMs)]: 1, duration_ms: durationMs };
  const add = { ...counts, ...duration };
  const kept: Record<string, number> =
    keptDays === undefined ? {} : { ttl: Math.ceil(now / 1000) + keptDays * DAY_SECONDS };
  for (const granularity of ["hour", "day"] as const) {
    rollups.count(keyOf(subject, granularity, now), { add, set: { kind: "rollup", ...kept } });
  }
  rollups.count(keyOf(subject, "total", now), { add, set: { kind: "rollup" } });
}

/** Counters of one minute, hour or day; `at` is when it began, ISO. */
export interface Point {
  at: string;
  counters: Record<string, number>;
}

/** All that was ever counted of a subject. */
export async function readTotal(records: RecordStore, subject: Subject): Promise<Record<string, number>> {
  const record = await records.get(keyOf(subject, "total", 0));
  return sumCounters(record ? [fromItem(record)] : []);
}

/** The minutes, hours or days from `from` (epoch milliseconds) on in which anything was counted, oldest first. */
export async function readSeries(
  records: RecordStore,
  subject: Subject,
  granularity: Stretch,
  from: number,
): Promise<Point[]> {
  const sk = { atLeast: keyOf(subject, granularity, from).sk, atMost: granularity + AFTER_ANY_ID };
  const { items } = await records.query({ pk: pkOf(subject), sk, limit: MOST_POINTS });
  return items.map((record) => {
    const at = record.sk.slice(granularity.length + 1) + BEGINNING[granularity];
    return { at, counters: sumCounters([fromItem(record)]) };
  });
}
