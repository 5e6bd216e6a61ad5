import { readModelUse } from "../../shared/domain/memory/metrics.ts";
import { countedReadings, readerState } from "../../shared/domain/memory/reading-health.ts";
import { orUndefined } from "../../shared/domain/operations/health/checks.ts";
import { rerankingsOf, searchesOf } from "../../shared/domain/retrieval/metrics.ts";
import { countSessionsBegun } from "../../shared/domain/sessions/metrics.ts";
import { DAY_MS, HOUR_MS } from "../../shared/kernel/durations.ts";
import { rounded } from "../../shared/kernel/math.ts";
import { readMachineLoad } from "../../shared/ports/machine.ts";
import { requireOperator } from "../../shared/runtime/access/operator.ts";
import type { Context } from "../../shared/runtime/context.ts";
import { DEPLOYMENT, readSeries, readTotal } from "../../shared/runtime/stats/series.ts";
import { countActiveUsers, readRequestSeries, readRequests, readRoutes } from "../../shared/runtime/stats/traffic.ts";
import { type Counters, durationsIn, readRecent, requestsIn } from "./traffic.ts";

const MEGABYTE = 1024 ** 2;

/** Metrics of the deployment. Throws FORBIDDEN for all but the operator. */
export async function readMetrics(ctx: Context) {
  requireOperator(ctx.principal);
  const { records, blobs } = ctx.ports;
  const now = ctx.clock();
  const recent = await readRecent(ctx);
  const [machine, space, requests, routes, business, reader, models, minutes, hours] = await Promise.all([
    readMachineLoad(),
    orUndefined(ctx, "disk", () => blobs.space()),
    readRequests(records),
    readRoutes(records),
    readBusiness(ctx),
    readFactReader(ctx),
    readModelUse(records),
    readRequestSeries(records, "minute", now - HOUR_MS),
    readSeries(records, searchesOf(DEPLOYMENT), "hour", now - DAY_MS),
  ]);
  const summary = {
    performance: {
      cpu_usage: toPercent(machine.cpu),
      memory_usage: toPercent(machine.memory),
      disk_usage: space ? toPercent(space.used / space.total) : null,
      resident_memory_mb: rounded(machine.resident / MEGABYTE, 1),
      uptime_seconds: Math.floor((now - ctx.startedAt) / 1000),
    },
    api_metrics: { ...countsOf(requests), ...recent.rates },
    business_metrics: business,
    fact_reader: reader,
    model_metrics: models,
    history: {
      requests: minutes.map(({ at, counters }) => ({
        at,
        requests: requestsIn(counters),
        failed_requests: counters.failed ?? 0,
        ...durationsIn(counters, requestsIn(counters)),
      })),
      searches: hours.map(({ at, counters }) => ({
        at,
        searches: searchesIn(counters),
        ...durationsIn(counters, searchesIn(counters)),
      })),
    },
  };
  return { summary, requests, routes };
}

export type Metrics = Awaited<ReturnType<typeof readMetrics>>;

function countsOf(requests: Counters) {
  const { successful = 0, refused = 0, failed = 0 } = requests;
  return {
    requests_total: requestsIn(requests),
    successful_requests: successful,
    refused_requests: refused,
    failed_requests: failed,
  };
}

async function readBusiness(ctx: Context) {
  const { records, search } = ctx.ports;
  const [active_users, total_memories, total_sessions, searches, rerankings] = await Promise.all([
    countActiveUsers(records),
    orUndefined(ctx, "search", () => search.countMemories(ctx.clock())),
    countSessionsBegun(records),
    readTotal(records, searchesOf(DEPLOYMENT)),
    readTotal(records, rerankingsOf(DEPLOYMENT)),
  ]);
  return {
    active_users,
    total_memories: total_memories ?? null,
    total_sessions,
    total_searches: searchesIn(searches),
    total_rerankings: searchesIn(rerankings),
    failed_rerankings: rerankings.failed ?? 0,
  };
}

async function readFactReader(ctx: Context) {
  const [state, readings] = await Promise.all([readerState(ctx), countedReadings(ctx)]);
  return { state, ...readings };
}

function searchesIn({ succeeded = 0, failed = 0 }: Counters): number {
  return succeeded + failed;
}

function toPercent(share: number): number {
  return rounded(share * 100, 1);
}
