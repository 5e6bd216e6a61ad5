import { timestamp } from "../../kernel/clock.ts";
import { DAY_MS } from "../../kernel/durations.ts";
import { askedRanges, type TimeRange } from "../../language/dates/asked.ts";
import type { Query } from "../../language/questions/query.ts";
import type { SearchAnswer, SearchFilters, SearchHit } from "../../ports/search-index.ts";
import type { Principal } from "../../runtime/access/principal.ts";
import { rangeOfEvent } from "../memory/event-range.ts";
import type { RecordReader } from "../memory/records.ts";
import { withOffset } from "../memory/said-at.ts";
import type { FoundTogether } from "./ranking/fusion.ts";

const OFFSET = /[+-]\d\d:\d\d$/;
/** Maximum margin on either side of a range that is searched too, because events are often mentioned later. */
const MAX_MARGIN_MS = 31 * DAY_MS;

/** The caller who asks the question. */
export interface Asker extends RecordReader {
  principal?: Pick<Principal, "id">;
}

interface TimedQuery {
  query: Query;
  filters?: SearchFilters | undefined;
  /** The reference time of relative dates, in epoch milliseconds. */
  now: number;
}

/**
 * Returns the time ranges that a query asks about: from its dates, in the time zone of the searched user or else of the
 * caller; if it has no dates, from an event of that user's life. Reads the user, or the user's facts, only in these
 * cases.
 */
export async function readAskedTime(asker: Asker, { query, filters, now }: TimedQuery): Promise<TimeRange[]> {
  const instant = new Date(now);
  const inUtc = askedRanges(query, { instant });
  const [first, ...others] = filters?.user_id ?? [];
  const user_id = others.length === 0 ? first : undefined;
  if (inUtc.length === 0) {
    const range = await rangeOfEvent(asker, { query, user: user_id, now });
    return range === undefined ? [] : [range];
  }
  const author = { user_id, created_by: asker.principal?.id };
  const zone = OFFSET.exec(await withOffset(asker, author, timestamp(now)))?.[0];
  return zone === undefined ? inUtc : askedRanges(query, { instant, zone });
}

/**
 * Returns the filters restricted to the first range, the likeliest reading, plus a margin; undefined if there is no
 * range.
 */
export function filtersAround([range]: TimeRange[], filters: SearchFilters = {}): SearchFilters | undefined {
  if (range === undefined) return undefined;
  const margin = Math.min(MAX_MARGIN_MS, range.to - range.from);
  const after = Math.max(range.from - margin, momentOf(filters.occurred_after, Number.NEGATIVE_INFINITY));
  const before = Math.min(range.to + margin, momentOf(filters.occurred_before, Number.POSITIVE_INFINITY));
  return {
    ...filters,
    ...(Number.isFinite(after) && { occurred_after: timestamp(after) }),
    ...(Number.isFinite(before) && { occurred_before: timestamp(before) }),
  };
}

function momentOf(iso: string | undefined, fallback: number): number {
  return iso === undefined ? fallback : Date.parse(iso);
}

/** Merges the results of two index queries, each list best first; the statistics are those of the first. */
export function mergeAnswers(answer: SearchAnswer, other: SearchAnswer): FoundTogether {
  const weakest = answer.semantic.at(-1)?.score;
  return {
    ...answer,
    semantic: mergeHits(answer.semantic, other.semantic),
    keyword: mergeHits(answer.keyword, other.keyword),
    ...(weakest !== undefined && { weakest }),
  };
}

function mergeHits(hits: SearchHit[], others: SearchHit[]): SearchHit[] {
  const ids = new Set(hits.map(({ id }) => id));
  const added = others.filter(({ id }) => !ids.has(id));
  return [...hits, ...added].sort((one, other) => other.score - one.score);
}
