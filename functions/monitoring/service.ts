import { readModelUse } from "../../shared/domain/memory/metrics.ts";
import { type Check, checkStores, orUndefined, readQueues } from "../../shared/domain/operations/health/checks.ts";
import { countUnembedded } from "../../shared/domain/retrieval/metrics.ts";
import { timestamp } from "../../shared/kernel/clock.ts";
import { DAY_MS, HOUR_MS } from "../../shared/kernel/durations.ts";
import { rounded } from "../../shared/kernel/math.ts";
import type { DiskSpace } from "../../shared/ports/blob-store.ts";
import { requireOperator } from "../../shared/runtime/access/operator.ts";
import type { Context } from "../../shared/runtime/context.ts";
import { NOTHING_RECENT, readRecent, shareOf } from "./traffic.ts";

type Status = "healthy" | "degraded" | "unhealthy";

const FULL_DISK_SHARE = 0.9;
const HIGH_ERROR_RATE = 0.05;
const MEGABYTE = 1024 ** 2;
const GIGABYTE = 1024 ** 3;

/** Returns the health of each part of the deployment. Throws FORBIDDEN if the caller is not an operator. */
export async function readSystemHealth(ctx: Context) {
  requireOperator(ctx.principal);
  const [checks, queues, space, recent, models, unembedded] = await Promise.all([
    checkStores(ctx),
    readQueues(ctx),
    orUndefined(ctx, "disk", () => ctx.ports.blobs.space()),
    orUndefined(ctx, "counts", () => readRecent(ctx)),
    orUndefined(ctx, "models", () => readModels(ctx)),
    orUndefined(ctx, "query_embeddings", () => countUnembedded(ctx)),
  ]);
  const { counters, rates } = recent ?? NOTHING_RECENT;
  const { cache_hits = 0, cache_misses = 0 } = counters;
  const sumOf = (field: "waiting" | "in_flight" | "dead_letters") =>
    queues ? queues.reduce((sum, queue) => sum + (queue[field] ?? 0), 0) : null;
  const deadLetters = sumOf("dead_letters");
  const isFull = space !== undefined && space.used / space.total >= FULL_DISK_SHARE;
  const isFailing = rates.error_rate !== null && rates.error_rate >= HIGH_ERROR_RATE;
  const { requests_per_second, avg_response_time_ms, error_rate } = rates;
  const { active, idle } = ctx.ports.records.connections();
  const components = {
    database: { ...stateOf(checks.records), connection_pool: { active, idle, total: active + idle } },
    cache: {
      status: "healthy" as const,
      hit_rate: shareOf(cache_hits, cache_hits + cache_misses),
      memory_usage_mb: rounded(ctx.authenticator.cacheBytes / MEGABYTE, 6),
    },
    storage: { ...stateOf(checks.blobs, isFull), ...describeDisk(space) },
    api: {
      status: statusOf(true, isFailing || recent === undefined),
      requests_per_second,
      avg_response_time_ms,
      error_rate,
    },
    search: stateOf(checks.search),
    queues: {
      ...stateOf(checks.queue, queues === undefined || deadLetters !== 0),
      waiting: sumOf("waiting"),
      in_flight: sumOf("in_flight"),
      dead_letters: deadLetters,
      queues: queues ?? null,
    },
    models: { status: statusOf(true, models?.isFailing ?? true), providers: models?.providers ?? null },
    embedder: { status: statusOf(true, unembedded !== 0), queries_without_vector: unembedded ?? null },
  };
  return { overall_status: overall(components), components, timestamp: timestamp(ctx.clock()) };
}

/** Returns each provider's calls of the last day, and whether rules replaced too many answers in the last hour. */
async function readModels({ ports, rollups, clock }: Context) {
  await rollups.flush();
  const now = clock();
  const [providers, recent] = await Promise.all([
    readModelUse(ports.records, now - DAY_MS),
    readModelUse(ports.records, now - HOUR_MS),
  ]);
  return { providers, isFailing: recent.some(({ fallbacks, asked }) => fallbacks >= asked * HIGH_ERROR_RATE) };
}

function overall({
  database,
  ...others
}: Record<string, { status: Status }> & { database: { status: Status } }): Status {
  if (database.status === "unhealthy") return "unhealthy";
  return Object.values(others).every(({ status }) => status === "healthy") ? "healthy" : "degraded";
}

function statusOf(isReachable: boolean, isImpaired: boolean): Status {
  if (!isReachable) return "unhealthy";
  return isImpaired ? "degraded" : "healthy";
}

function stateOf({ ok, latency_ms }: Check, isImpaired = false) {
  return { status: statusOf(ok, isImpaired), response_time_ms: latency_ms };
}

function describeDisk(space: DiskSpace | undefined) {
  if (!space) return { disk_usage_gb: null, disk_total_gb: null, disk_usage_percentage: null };
  return {
    disk_usage_gb: rounded(space.used / GIGABYTE, 2),
    disk_total_gb: rounded(space.total / GIGABYTE, 2),
    disk_usage_percentage: rounded((space.used / space.total) * 100, 1),
  };
}
