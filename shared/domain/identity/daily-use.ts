import type * as z from "zod";
import { DAY_MS, DAY_SECONDS } from "../../kernel/durations.ts";
import { fromItem } from "../../ports/item.ts";
import { queryPages } from "../../ports/pages.ts";
import type { RecordKey, RecordStore, StoredRecord } from "../../ports/record-store.ts";
import type { Principal } from "../../runtime/access/principal.ts";
import type { Runtime } from "../../runtime/context.ts";
import { sumCounters } from "../../runtime/stats/histogram.ts";
import { keyOf, type Point, readSeries } from "../../runtime/stats/series.ts";
import type * as wire from "./wire.ts";

export type DailyUse = z.output<typeof wire.DailyUse>;

const NO_DAILY_USE: DailyUse = {
  ...{ api_calls: 0, failed_calls: 0, memories_created: 0, sessions_started: 0, searches_performed: 0 },
};

/** Days that counts are kept. */
const USE_KEPT_DAYS = 92;
/** A day has one counter for each user and key that was active, so this is more than 300 of them on each of 31 days. */
const MAX_COUNTERS = 10_000;
const PAGE = 1000;
/** Sorts after every id. */
const AFTER_ANY_ID = "\u{10FFFF}";

/** Whose counters of a day are beside each other. */
export type UseHolder = "users" | "keys";

const ofOrganization = (org: string) => ({ scope: org, name: "usage" });

/** The key of what one user or key did on a day; `id` empty: the start of the keys of that day. */
function counterKey(org: string, holder: UseHolder, now: number, id: string): RecordKey {
  const { pk, sk } = keyOf({ scope: org, name: `usage-of-${holder}` }, "day", now);
  return { pk, sk: `${sk}#${id}` };
}

export interface Counting extends Pick<Runtime, "rollups" | "clock"> {
  /** Background work knows the responsible user alone. */
  principal: Pick<Principal, "org" | "owner"> & Partial<Pick<Principal, "kind" | "id">>;
}

/** Counts for the organization, for the responsible user, and for the key if one acts; kept `USE_KEPT_DAYS`. */
export function countDailyUse({ rollups, clock, principal }: Counting, add: Partial<DailyUse>): void {
  const { org, owner, kind, id } = principal;
  const now = clock();
  const set = { kind: "rollup", ttl: Math.ceil(now / 1000) + USE_KEPT_DAYS * DAY_SECONDS };
  const keys = [keyOf(ofOrganization(org), "day", now)];
  if (owner !== undefined) keys.push(counterKey(org, "users", now, owner));
  if (kind === "api_key" && id !== undefined) keys.push(counterKey(org, "keys", now, id));
  for (const key of keys) rollups.count(key, { add, set });
}

/** The starts of the first and the last day in UTC, epoch milliseconds. */
export interface Days {
  from: number;
  to: number;
}

/** The days on which the organization was active, oldest first. */
export async function readUseOfOrganization(records: RecordStore, org: string, { from, to }: Days): Promise<Point[]> {
  const points = await readSeries(records, ofOrganization(org), "day", from);
  return points.filter(({ at }) => Date.parse(at) <= to);
}

/** The days on which these users or keys were active, by id and oldest first. */
export async function readUseOf(
  records: RecordStore,
  org: string,
  holder: UseHolder,
  ids: string[],
  { from, to }: Days,
): Promise<Map<string, Point[]>> {
  const days = Array.from({ length: Math.round((to - from) / DAY_MS) + 1 }, (_, index) => from + index * DAY_MS);
  const keys = ids.flatMap((id) => days.map((day) => counterKey(org, holder, day, id)));
  const counters = (await records.getMany(keys)).map(toCounter);
  return Map.groupBy(
    counters.sort((a, b) => a.at.localeCompare(b.at)),
    ({ id }) => id,
  );
}

/** What each active user or key did within the days; `isPartial`: the first days have more counters than are read. */
export async function sumUseOfAll(
  records: RecordStore,
  org: string,
  holder: UseHolder,
  { from, to }: Days,
): Promise<{ sums: Map<string, DailyUse>; isPartial: boolean }> {
  const { pk, sk: atLeast } = counterKey(org, holder, from, "");
  const { sk: atMost } = counterKey(org, holder, to, AFTER_ANY_ID);
  const sums = new Map<string, DailyUse>();
  let read = 0;
  for await (const page of queryPages(records, { pk, sk: { atLeast, atMost }, limit: PAGE, descending: true })) {
    for (const { id, counters } of page.map(toCounter)) sums.set(id, sumUse([sums.get(id) ?? {}, counters]));
    read += page.length;
    if (read >= MAX_COUNTERS) return { sums, isPartial: true };
  }
  return { sums, isPartial: false };
}

export function sumUse(counters: Record<string, number>[]): DailyUse {
  return { ...NO_DAILY_USE, ...sumCounters(counters) };
}

const DAY_AND_ID = /^day#(\d{4}-\d\d-\d\d)#(.+)$/;

function toCounter(record: StoredRecord): Point & { id: string } {
  const [, day, id] = DAY_AND_ID.exec(record.sk) ?? [];
  if (day === undefined || id === undefined) throw new Error(`'${record.sk}' is not the key of a day's counter`);
  return { at: `${day}T00:00:00.000Z`, counters: sumCounters([fromItem(record)]), id };
}
