import { MINUTE_MS } from "../../shared/kernel/durations.ts";
import { rounded } from "../../shared/kernel/math.ts";
import type { Context } from "../../shared/runtime/context.ts";
import { percentile, sumCounters } from "../../shared/runtime/stats/histogram.ts";
import { readRequestSeries } from "../../shared/runtime/stats/traffic.ts";

/** The window of current rates: this many full minutes and the current one. */
const RECENT_MINUTES = 5;

export type Counters = Record<string, number>;

/** The number of requests of a counter record. */
export function requestsIn({ successful = 0, refused = 0, failed = 0 }: Counters): number {
  return successful + refused + failed;
}

/** Mean and 95th percentile of the durations of `count` requests; null without any. */
export function durationsIn(counters: Counters, count: number) {
  const p95 = percentile(counters, 0.95);
  return {
    avg_response_time_ms: count === 0 ? null : rounded((counters.duration_ms ?? 0) / count, 2),
    p95_response_time_ms: p95 === null ? null : rounded(p95, 2),
  };
}

/** The share of a part in a whole; null if the whole is 0. */
export function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : rounded(part / whole, 4);
}

/** The result if the counts of the last five minutes cannot be read. */
export const NOTHING_RECENT = {
  counters: {} as Counters,
  rates: { requests_per_second: null, avg_response_time_ms: null, error_rate: null },
};

/** Requests of the last five minutes in all processes. Writes this process's counts first. */
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
