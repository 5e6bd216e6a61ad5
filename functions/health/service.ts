import packageJson from "../../package.json" with { type: "json" };
import { checkStores, readQueues, unlessDown } from "../../shared/health/checks.ts";
import { ServiceError } from "../../shared/kernel/errors.ts";
import type { Home, OrgHome } from "../../shared/platform/context.ts";
import { rerankingsOf } from "../../shared/retrieval/figures.ts";
import { skillsPartition } from "../../shared/retrieval/partitions.ts";
import { sumCounters } from "../../shared/stats/histogram.ts";
import { DEPLOYMENT, readSeries } from "../../shared/stats/series.ts";

const HOUR_MS = 3_600_000;

export async function readHealth(home: Home) {
  const uptime_seconds = Math.floor((home.clock() - home.startedAt) / 1000);
  return { status: "healthy" as const, version: packageJson.version, uptime_seconds };
}

/** Throws SERVICE_UNAVAILABLE whose details name the stores that fail. */
export async function readReadiness(home: Home) {
  const { records, search, blobs, queue } = await checkStores(home);
  const checks = { records: records.ok, search: search.ok, blobs: blobs.ok, queue: queue.ok };
  const index_catching_up = isCatchingUp(home);
  if (Object.values(checks).every(Boolean)) return { ready: true, checks, index_catching_up };
  throw new ServiceError("SERVICE_UNAVAILABLE", "Not all stores answer.", { ready: false, checks, index_catching_up });
}

const isCatchingUp = ({ ports }: Home): boolean => ports.search.isCatchingUp ?? false;

export async function readStatus(home: OrgHome) {
  const [health, checks, queues, vectors, reranker] = await Promise.all([
    readHealth(home),
    checkStores(home),
    readQueues(home),
    unlessDown(home, "vectors", () => home.ports.search.vectorState([home.org, skillsPartition(home.org)])),
    unlessDown(home, "rerankings", () => readReranker(home)),
  ]);
  const isWell = Object.values(checks).every(({ ok }) => ok);
  const status = isWell ? ("healthy" as const) : ("degraded" as const);
  const { pending = null, compared = null, embedder = null } = vectors ?? {};
  const index = { catching_up: isCatchingUp(home), embedder, pending, compared_vectors: compared };
  return { ...health, status, checks, queues: queues ?? null, index, reranker: reranker ?? null };
}

/** What became of the searches that the reranker was asked for lately; undefined where there is none. */
async function readReranker({ ports, clock }: OrgHome) {
  if (ports.reranker === undefined) return undefined;
  const hours = await readSeries(ports.records, rerankingsOf(DEPLOYMENT), "hour", clock() - HOUR_MS);
  const { succeeded = 0, failed = 0 } = sumCounters(hours.map(({ counters }) => counters));
  return { model: ports.reranker.id, succeeded, failed };
}
