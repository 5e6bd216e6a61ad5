import packageJson from "../../package.json" with { type: "json" };
import { checkStores, readQueues } from "../../shared/health/checks.ts";
import { ServiceError } from "../../shared/kernel/errors.ts";
import type { Home, OrgHome } from "../../shared/platform/context.ts";
import { skillsPartition } from "../../shared/retrieval/partitions.ts";

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
  const [health, checks, queues, pending] = await Promise.all([
    readHealth(home),
    checkStores(home),
    readQueues(home),
    home.ports.search.countPending([home.org, skillsPartition(home.org)]).catch(() => null),
  ]);
  const isWell = Object.values(checks).every(({ ok }) => ok);
  const status = isWell ? ("healthy" as const) : ("degraded" as const);
  return { ...health, status, checks, queues: queues ?? null, index: { catching_up: isCatchingUp(home), pending } };
}
