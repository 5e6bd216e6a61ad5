import { percentile } from "../../shared/runtime/stats/histogram.ts";

/** Speed and confidence of processing from counters of a time range; null without data. */
export function performanceIn(counters: Record<string, number>) {
  const { processed = 0, failed = 0, duration_ms = 0 } = counters;
  return {
    avg_processing_time_ms: processed === 0 ? null : duration_ms / processed,
    p95_processing_time_ms: percentile(counters, 0.95),
    success_rate: processed + failed === 0 ? null : processed / (processed + failed),
  };
}
