import { timestamp } from "../../kernel/clock.ts";
import { DAY_MS } from "../../kernel/durations.ts";
import { fromItem } from "../../ports/item.ts";
import { queryPages } from "../../ports/pages.ts";
import type { RecordStore } from "../../ports/record-store.ts";
import type { Context } from "../../runtime/context.ts";

/** How often and when a memory was last read. */
export interface Access {
  id: string;
  count: number;
  /** ISO 8601. */
  at: string;
}

/** The reads of a minute that one process counted: an attribute for each memory, with the number of its reads. */
interface LoggedReads {
  /** The time of the last of them. */
  read_at: string;
  [memory: string]: string | number;
}

const ACCESS_LOG_KIND = "access_log";
const accessLogOf = (org: string): string => `${org}#accesses`;
/** The longest threshold of a default policy is 30 days. */
const ACCESS_LOG_MS = 35 * DAY_MS;
/** Length of an ISO time up to its minute. */
const MINUTE = 16;
/** Processes that write different records of the same minute. */
const SHARDS = 1024;
const PAGE_SIZE = 200;

/** Counts one read of a memory. Costs no round trip: it is written with all others of the organization. */
export function countAccess({ rollups, clock, org }: Pick<Context, "rollups" | "clock" | "org">, id: string): void {
  const now = clock();
  const read_at = timestamp(now);
  rollups.count(
    { pk: accessLogOf(org), sk: `${read_at.slice(0, MINUTE)}#${rollups.shardOf(SHARDS)}` },
    { add: { [id]: 1 }, set: { kind: ACCESS_LOG_KIND, read_at, ttl: Math.ceil((now + ACCESS_LOG_MS) / 1000) } },
  );
}

/** Returns the accesses since a time, of at most `limit` memories: those that were read last, the last one first. */
export async function readAccesses(records: RecordStore, org: string, since: string, limit: number): Promise<Access[]> {
  const accesses = new Map<string, Access>();
  const sk = { atLeast: since.slice(0, MINUTE) };
  pages: for await (const items of queryPages(records, {
    pk: accessLogOf(org),
    sk,
    descending: true,
    limit: PAGE_SIZE,
  }))
    for (const { read_at, ...counts } of items.map(fromItem<LoggedReads>)) {
      for (const [id, count] of Object.entries(counts)) {
        const newer = accesses.get(id) ?? { id, at: read_at, count: 0 };
        accesses.set(id, { ...newer, count: newer.count + Number(count) });
      }
      if (accesses.size >= limit) break pages;
    }
  return [...accesses.values()].sort((a, b) => (a.at < b.at ? 1 : -1)).slice(0, limit);
}
