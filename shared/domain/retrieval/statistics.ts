import { dateOf } from "../../kernel/clock.ts";
import { DAY_MS } from "../../kernel/durations.ts";
import { ServiceError, statusOf } from "../../kernel/errors.ts";
import { inParallel } from "../../kernel/parallel.ts";
import type { Query } from "../../language/questions/query.ts";
import { deleteAll, queryPages } from "../../ports/pages.ts";
import type { RecordKey } from "../../ports/record-store.ts";
import { covers } from "../../runtime/access/permissions.ts";
import type { Context, OrgRuntime } from "../../runtime/context.ts";
import { type Frequencies, mergeFrequencies, mostFrequent } from "../../runtime/stats/frequent.ts";
import { percentile } from "../../runtime/stats/histogram.ts";
import { countEvent, DEPLOYMENT, readTotal } from "../../runtime/stats/series.ts";
import { frequenciesIn } from "../../runtime/stats/tally.ts";
import { countActivity } from "../identity/activity.ts";
import { searchesOf } from "./metrics.ts";
import { isRatedRelevant } from "./ranking/feedback.ts";
import type { Ranked } from "./ranking/fusion.ts";

/** The modes in `by_mode`; plain search is `semantic`. */
export const SEARCH_MODES = ["semantic", "advanced", "hybrid", "spreading"] as const;

export type SearchMode = (typeof SEARCH_MODES)[number];

/** Days for which daily counters and queries are kept. */
const KEPT_DAYS = 30;
/** Maximum number of queries in a day's record. A query that makes up more than 1 % of a day is never missed. */
const MAX_QUERIES = 100;
const QUERIES_SHOWN = 10;
const PAGE_SIZE = 100;
/** Sorts after the numbers of a day's records. */
const AFTER_SHARDS = "#~";
/**
 * Records of a day, over which processes spread: each merges its counts into one with a condition, and hundreds would
 * refuse each other's writes.
 */
const SHARDS = 16;
/** Maximum characters of a query in its counter. */
const COUNTED_LENGTH = 200;

/** Returns the scope in which searches are counted: the organization or, with an agent, the agent in it. */
const scopeOf = (org: string, agent?: string): string => (agent === undefined ? org : `${org}#${agent}`);

const queriesOf = (scope: string): string => `${scope}#queries`;

const dayPrefix = (time: number): string => `day#${dateOf(time)}`;

/** The first record of a day has no number, as the only one of earlier releases. */
function queriesKey(scope: string, time: number, shard: number): RecordKey {
  return { pk: queriesOf(scope), sk: shard === 0 ? dayPrefix(time) : `${dayPrefix(time)}#${shard}` };
}

/** Runs a search and counts its mode, duration, success and query, and how the shown memories are rated. */
export async function countSearch<Answer>(
  ctx: Context,
  { mode, query }: { mode: SearchMode; query: Query },
  run: () => Promise<{ answer: Answer; shown: Ranked[] }>,
): Promise<Answer> {
  const startedAt = performance.now();
  const count = (counts: Record<string, number>) => {
    const duration = performance.now() - startedAt;
    for (const scope of new Set([scopeOf(ctx.org), scopeOf(ctx.org, ctx.viewer), DEPLOYMENT])) {
      countEvent(ctx.rollups, searchesOf(scope), ctx.clock(), { [mode]: 1, ...counts }, duration, KEPT_DAYS);
    }
  };
  try {
    const { answer, shown } = await run();
    count({ succeeded: 1, ...qualityOf(shown) });
    countActivity(ctx, "searches_performed");
    countQuery(ctx, query);
    return answer;
  } catch (error) {
    if (!isRefusal(error)) count({ failed: 1 });
    throw error;
  }
}

/** Whether the error is the request's fault; such a search is not counted. */
function isRefusal(error: unknown): boolean {
  return error instanceof ServiceError && statusOf(error.code) < 500;
}

/** Returns counters of the relevance of the shown memories: by their scores, and by ratings if they have any. */
function qualityOf(shown: Ranked[]): Record<string, number> {
  const judgements = shown.flatMap(({ document }) => isRatedRelevant(document.ratings) ?? []);
  const relevance = { shown: shown.length, relevance: shown.reduce((sum, { score }) => sum + score, 0) };
  if (judgements.length === 0) return relevance;
  return {
    ...relevance,
    judged: 1,
    precision: judgements.filter((isRelevant) => isRelevant).length / judgements.length,
  };
}

/** Counts the query in the day's record of the organization and, for an agent's keys, of the agent. */
function countQuery({ rollups, org, viewer, clock }: Context, { text }: Query): void {
  const now = clock();
  const normalized = text.trim().toLowerCase().replace(/\s+/g, " ").slice(0, COUNTED_LENGTH).toWellFormed();
  for (const scope of new Set([scopeOf(org), scopeOf(org, viewer)])) {
    rollups.tally({
      key: queriesKey(scope, now, rollups.shardOf(SHARDS)),
      capacity: MAX_QUERIES,
      frequencies: new Map([[normalized, 1]]),
      ttl: Math.ceil((now + KEPT_DAYS * DAY_MS) / 1000),
    });
  }
}

/** Deletes the popular queries of an organization and its agents, which do not name the users whom they are about. */
export async function forgetQueries({ ports: { records }, rollups, org }: OrgRuntime, agents: string[]): Promise<void> {
  await rollups.flush();
  for (const scope of [scopeOf(org), ...agents.map((agent) => scopeOf(org, agent))]) {
    await deleteAll(records, { pk: queriesOf(scope), limit: PAGE_SIZE });
  }
}

/** Whether the popular queries of days before this one are stored of the organization or one of these agents. */
export async function hasQueriesBefore(
  { ports: { records }, org }: OrgRuntime,
  agents: string[],
  day: number,
): Promise<boolean> {
  const scopes = [scopeOf(org), ...agents.map((agent) => scopeOf(org, agent))];
  const counts = await inParallel(scopes, PAGE_SIZE, (scope) =>
    records.count({ pk: queriesOf(scope), sk: { atMost: dayPrefix(day - DAY_MS) + AFTER_SHARDS } }, 1),
  );
  return counts.some((count) => count > 0);
}

/**
 * Returns `GET /search/stats`: all-time counters of the searches of the caller's agent or organization, and the popular
 * queries of the last 30 days.
 */
export async function readSearchStatistics(ctx: Context) {
  await ctx.rollups.flush();
  const [counters, queries] = await Promise.all([
    readTotal(ctx.ports.records, searchesOf(scopeOf(ctx.org, ctx.viewer))),
    readFrequencies(ctx),
  ]);
  const counted = (name: string) => counters[name] ?? 0;
  const mean = (sum: string, count: number) => (count === 0 ? null : counted(sum) / count);
  const total = counted("succeeded") + counted("failed");
  return {
    total_searches: total,
    by_mode: Object.fromEntries(SEARCH_MODES.map((mode) => [mode, counted(mode)])) as Record<SearchMode, number>,
    avg_response_time_ms: mean("duration_ms", total),
    p95_response_time_ms: percentile(counters, 0.95),
    success_rate: mean("succeeded", total),
    popular_queries: mostFrequent(queries, QUERIES_SHOWN).map(({ thing, count }) => ({ query: thing, count })),
    search_quality: {
      avg_relevance_score: mean("relevance", counted("shown")),
      avg_precision: mean("precision", counted("judged")),
      avg_recall: null,
    },
  };
}

/** Returns the queries of the caller's agent or, for admins, of the organization; other callers get none. */
async function readFrequencies({ ports, org, viewer, clock, principal }: Context): Promise<Frequencies> {
  if (viewer === undefined && !covers(principal.permissions, "admin:all")) return new Map();
  const scope = scopeOf(org, viewer);
  const first = dayPrefix(clock() - (KEPT_DAYS - 1) * DAY_MS);
  let sum: Frequencies = new Map();
  for await (const records of queryPages(ports.records, { pk: queriesOf(scope), limit: PAGE_SIZE })) {
    for (const record of records.filter(({ sk }) => sk >= first)) {
      sum = mergeFrequencies(sum, frequenciesIn(record), MAX_QUERIES);
    }
  }
  return sum;
}
