import type { Principal } from "../identity/principal.ts";
import { timestamp } from "../kernel/clock.ts";
import { askedRanges, type TimeRange } from "../memory/dates/asked.ts";
import { withOffset } from "../memory/said-at.ts";
import type { OrgHome } from "../platform/context.ts";
import type { Ports, SearchAnswer, SearchFilters, SearchHit } from "../platform/ports.ts";
import type { FoundTogether } from "./fusion.ts";

const OFFSET = /[+-]\d\d:\d\d$/;
/** The longest time on either side of a range that is searched too: what happened is often told later. */
const MAX_MARGIN_MS = 31 * 86_400_000;

/** Whose question it is. */
export interface Asker extends Pick<OrgHome, "org"> {
  ports: Pick<Ports, "records">;
  principal?: Pick<Principal, "id">;
}

interface TimedQuery {
  query: string;
  filters?: SearchFilters | undefined;
  /** The moment that relative dates count from, in epoch milliseconds. */
  now: number;
}

/**
 * The ranges of time that a query asks about, by the time zone of the user whose memories are searched, else of who searches.
 * Reads the user only where the query names a date.
 */
export async function readAskedTime(asker: Asker, { query, filters, now }: TimedQuery): Promise<TimeRange[]> {
  const instant = new Date(now);
  const inUtc = askedRanges(query, { instant });
  if (inUtc.length === 0) return [];
  const [user_id, ...others] = filters?.user_id ?? [];
  const author = { user_id: others.length === 0 ? user_id : undefined, created_by: asker.principal?.id };
  const zone = OFFSET.exec(await withOffset(asker, author, timestamp(now)))?.[0];
  return zone === undefined ? inUtc : askedRanges(query, { instant, zone });
}

/** The same filters, and that it happened in the first of the ranges or near to it: the likeliest reading. */
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

function momentOf(given: string | undefined, otherwise: number): number {
  return given === undefined ? otherwise : Date.parse(given);
}

/** What two queries of an index found, each list best first; the statistics are those of the first. */
export function together(answer: SearchAnswer, other: SearchAnswer): FoundTogether {
  const weakest = answer.semantic.at(-1)?.score;
  return {
    ...answer,
    semantic: merged(answer.semantic, other.semantic),
    keyword: merged(answer.keyword, other.keyword),
    ...(weakest !== undefined && { weakest }),
  };
}

function merged(hits: SearchHit[], others: SearchHit[]): SearchHit[] {
  const known = new Set(hits.map(({ id }) => id));
  const added = others.filter(({ id }) => !known.has(id));
  return [...hits, ...added].sort((one, other) => other.score - one.score);
}
