import packageJson from "../../package.json" with { type: "json" };
import { readerState } from "../../shared/domain/memory/reading-health.ts";
import { checkStores, orUndefined, readQueues } from "../../shared/domain/operations/health/checks.ts";
import { countUnembedded, rerankingsOf } from "../../shared/domain/retrieval/metrics.ts";
import { HOUR_MS } from "../../shared/kernel/durations.ts";
import { ServiceError } from "../../shared/kernel/errors.ts";
import { skillsPartition } from "../../shared/ports/partitions.ts";
import { READ_QUEUE } from "../../shared/ports/queues.ts";
import type { OrgRuntime, Runtime } from "../../shared/runtime/context.ts";
import { sumCounters } from "../../shared/runtime/stats/histogram.ts";
import { DEPLOYMENT, readSeries } from "../../shared/runtime/stats/series.ts";

export async function readHealth(runtime: Runtime) {
  const uptime_seconds = Math.floor((runtime.clock() - runtime.startedAt) / 1000);
  return { status: "healthy" as const, version: packageJson.version, uptime_seconds };
}

/**
 * Throws a SERVICE_UNAVAILABLE whose details name the failing stores. Without an embedder the service is ready, because
 * keyword search answers.
 */
export async function readReadiness(runtime: Runtime) {
  const [{ records, search, blobs, queue }, unembedded, reader] = await Promise.all([
    checkStores(runtime),
    orUndefined(runtime, "query_embeddings", () => countUnembedded(runtime)),
    orUndefined(runtime, "fact_reader", () => readerState(runtime)),
  ]);
  const checks = { records: records.ok, search: search.ok, blobs: blobs.ok, queue: queue.ok };
  const index_catching_up = isCatchingUp(runtime);
  const embedder = runtime.isModelLoading?.() ? ("loading" as const) : ("loaded" as const);
  const detail = {
    checks,
    index_catching_up,
    embedder,
    queries_without_vector: unembedded ?? null,
    fact_reader: reader ?? null,
  };
  if (Object.values(checks).every(Boolean)) return { ready: true, ...detail };
  throw new ServiceError("SERVICE_UNAVAILABLE", "Not all stores answer.", { ready: false, ...detail });
}

const isCatchingUp = ({ ports }: Runtime): boolean => ports.search.isCatchingUp ?? false;

export async function readStatus(runtime: OrgRuntime) {
  const [health, checks, queues, vectors, reranker] = await Promise.all([
    readHealth(runtime),
    checkStores(runtime),
    readQueues(runtime),
    orUndefined(runtime, "vectors", () =>
      runtime.ports.search.vectorState([runtime.org, skillsPartition(runtime.org)]),
    ),
    orUndefined(runtime, "rerankings", () => readReranker(runtime)),
  ]);
  const isHealthy = Object.values(checks).every(({ ok }) => ok);
  const status = isHealthy ? ("healthy" as const) : ("degraded" as const);
  const { compared = null, embedder = null } = vectors ?? {};
  const unread = queues?.find(({ name }) => name === READ_QUEUE);
  const pending = vectors === undefined ? null : vectors.pending + lengthOf(unread);
  const index = { catching_up: isCatchingUp(runtime), embedder, pending, compared_vectors: compared };
  return { ...health, status, checks, queues: queues ?? null, index, reranker: reranker ?? null };
}

/** Returns the messages of a queue that are not processed yet. */
function lengthOf(queue: { [state in "waiting" | "in_flight" | "delayed"]: number | null } | undefined): number {
  return (queue?.waiting ?? 0) + (queue?.in_flight ?? 0) + (queue?.delayed ?? 0);
}

/** Recent results of the reranker; undefined if there is none. */
async function readReranker({ ports, clock }: OrgRuntime) {
  if (ports.reranker === undefined) return undefined;
  const hours = await readSeries(ports.records, rerankingsOf(DEPLOYMENT), "hour", clock() - HOUR_MS);
  const { succeeded = 0, failed = 0 } = sumCounters(hours.map(({ counters }) => counters));
  return { model: ports.reranker.id, succeeded, failed };
}
