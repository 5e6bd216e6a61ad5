import { percentile } from "../../shared/stats/histogram.ts";

/** How fast and how surely texts were processed, by the counters of some time; null where nothing was. */
export function performanceIn(counters: Record<string, number>) {
  const { processed = 0, failed = 0, duration_ms = 0 } = counters;
  return {
    avg_processing_time_ms: processed === 0 ? null : duration_ms / processed,
    p95_processing_time_ms: percentile(counters, 0.95),
    success_rate: processed + failed === 0 ? null : processed / (processed + failed),
  };
}
