import { rounded } from "../../shared/kernel/rounded.ts";
import type { Context } from "../../shared/platform/context.ts";
import { percentile, sumCounters } from "../../shared/stats/histogram.ts";
import { readRequestSeries } from "../../shared/stats/traffic.ts";

const MINUTE_MS = 60_000;
/** What "now" is to rates: so many whole minutes and the one that is running. */
const RECENT_MINUTES = 5;

export type Counters = Record<string, number>;

/** How many requests a counter's record is of. */
export function requestsIn({ successful = 0, refused = 0, failed = 0 }: Counters): number {
  return successful + refused + failed;
}

/** Mean and 95th percentile of the durations, null where there were none. */
export function durationsIn(counters: Counters, of: number) {
  const p95 = percentile(counters, 0.95);
  return {
    avg_response_time_ms: of === 0 ? null : rounded((counters.duration_ms ?? 0) / of, 2),
    p95_response_time_ms: p95 === null ? null : rounded(p95, 2),
  };
}

/** What a share comes to, null of nothing. */
export function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : rounded(part / whole, 4);
}

/** What is known of the last five minutes where the counts cannot be read. */
export const NOTHING_RECENT = {
  counters: {} as Counters,
  rates: { requests_per_second: null, avg_response_time_ms: null, error_rate: null },
};

/** What became of the requests of the last five minutes, in all processes. Writes what this one has counted first. */
export async function readRecent({ ports, rollups, clock }: Pick<Context, "ports" | "rollups" | "clock">) {
  await rollups.flush();
  const now = clock();
  const from = now - (now % MINUTE_MS) - RECENT_MINUTES * MINUTE_MS;
  const points = await readRequestSeries(ports.records, "minute", from);
  const counters = sumCounters(points.map((point) => point.counters));
  const requests = requestsIn(counters);
  return {
    counters,
    rates: {
      requests_per_second: rounded(requests / ((now - from) / 1000), 3),
      ...durationsIn(counters, requests),
      error_rate: shareOf(counters.failed ?? 0, requests),
    },
  };
}
