import { listOrganizations } from "../../shared/domain/identity/records.ts";
import { readModelUse } from "../../shared/domain/memory/metrics.ts";
import { countedReadings, readerState } from "../../shared/domain/memory/reading-health.ts";
import { orUndefined } from "../../shared/domain/operations/health/checks.ts";
import { rerankingsOf, searchesOf } from "../../shared/domain/retrieval/metrics.ts";
import { countSessionsBegun } from "../../shared/domain/sessions/metrics.ts";
import { DAY_MS, HOUR_MS } from "../../shared/kernel/durations.ts";
import { rounded } from "../../shared/kernel/math.ts";
import { inParallel } from "../../shared/kernel/parallel.ts";
import { readMachineLoad } from "../../shared/ports/machine.ts";
import { requireOperator } from "../../shared/runtime/access/operator.ts";
import type { Context } from "../../shared/runtime/context.ts";
import { DEPLOYMENT, readSeries, readTotal } from "../../shared/runtime/stats/series.ts";
import { countActiveUsers, readRequestSeries, readRequests, readRoutes } from "../../shared/runtime/stats/traffic.ts";
import { type Counters, durationsIn, readRecent, requestsIn } from "./traffic.ts";

const MEGABYTE = 1024 ** 2;
/** Organizations whose memories are counted concurrently. */
const COUNT_CONCURRENCY = 8;
/** Time limit of counting, which grows with the number of organizations; it fits into a request on AWS. */
const COUNT_TIMEOUT_MS = 15_000;

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
  const { records } = ctx.ports;
  const [active_users, total_memories, total_sessions, searches, rerankings] = await Promise.all([
    countActiveUsers(records),
    orUndefined(ctx, "search", () => countMemories(ctx), COUNT_TIMEOUT_MS),
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

/** The search index counts an organization's memories in one step. */
async function countMemories({ ports, clock }: Context): Promise<number> {
  const organizations: string[] = [];
  for await (const { id } of listOrganizations(ports.records)) organizations.push(id);
  const now = clock();
  const counts = await inParallel(organizations, COUNT_CONCURRENCY, (org) => ports.search.count({ org, now }));
  return counts.reduce((sum, count) => sum + count, 0);
}

function searchesIn({ succeeded = 0, failed = 0 }: Counters): number {
  return succeeded + failed;
}

function toPercent(share: number): number {
  return rounded(share * 100, 1);
}
