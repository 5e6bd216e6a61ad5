import packageJson from "../../package.json" with { type: "json" };
import { ServiceError } from "../../shared/kernel/errors.ts";
import type { Home } from "../../shared/platform/context.ts";

/** A store that has not answered by then counts as failing. */
const PATIENCE_MS = 3_000;

type Store = "records" | "search" | "blobs" | "queue";

interface Check {
  ok: boolean;
  latency_ms: number;
}

export async function readHealth(home: Home) {
  const uptime_seconds = Math.floor((home.clock() - home.startedAt) / 1000);
  return { status: "healthy" as const, version: packageJson.version, uptime_seconds };
}

/** Throws SERVICE_UNAVAILABLE whose details name the stores that fail. */
export async function readReadiness(home: Home) {
  const { records, search, blobs, queue } = await checkAll(home);
  const checks = { records: records.ok, search: search.ok, blobs: blobs.ok, queue: queue.ok };
  if (Object.values(checks).every(Boolean)) return { ready: true, checks };
  throw new ServiceError("SERVICE_UNAVAILABLE", "Not all stores answer.", { ready: false, checks });
}

export async function readStatus(home: Home) {
  const [health, checks] = await Promise.all([readHealth(home), checkAll(home)]);
  const isWell = Object.values(checks).every(({ ok }) => ok);
  return { ...health, status: isWell ? ("healthy" as const) : ("degraded" as const), checks };
}

async function checkAll(home: Home) {
  const [records, search, blobs, queue] = await Promise.all([
    check(home, "records"),
    check(home, "search"),
    check(home, "blobs"),
    check(home, "queue"),
  ]);
  return { records, search, blobs, queue };
}

async function check({ ports, logger }: Home, name: Store): Promise<Check> {
  const startedAt = performance.now();
  const latency = () => Math.round((performance.now() - startedAt) * 10) / 10;
  let timer: NodeJS.Timeout | undefined;
  const impatience = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${PATIENCE_MS} ms`)), PATIENCE_MS);
  });
  try {
    await Promise.race([ports[name].ping(), impatience]);
    return { ok: true, latency_ms: latency() };
  } catch (error) {
    logger.error("CHECK_FAILED", { store: name, error });
    return { ok: false, latency_ms: latency() };
  } finally {
    clearTimeout(timer);
  }
}
