/** Buckets a factor of 2^(1/4) apart: a percentile read back is off by at most 9 %. */
const STEPS_PER_DOUBLING = 4;
/** Below it durations are one bucket, above it another. */
const SHORTEST_MS = 0.125;
const LONGEST_MS = 2 ** 20;

const PREFIX = "h";

/** Name of the counter a duration falls into, in the record that keeps the histogram. */
export function bucketOf(milliseconds: number): string {
  const bounded = Math.min(Math.max(milliseconds, SHORTEST_MS), LONGEST_MS);
  return PREFIX + Math.round(Math.log2(bounded) * STEPS_PER_DOUBLING);
}

/** Adds up counters of many records, histograms included. */
export function sumCounters(records: Record<string, unknown>[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const record of records) {
    for (const [name, value] of Object.entries(record)) {
      if (typeof value === "number") sums[name] = (sums[name] ?? 0) + value;
    }
  }
  return sums;
}

/** The duration that `share` (0..1) of those counted stay within, in milliseconds; null when none was counted. */
export function percentile(counters: Record<string, unknown>, share: number): number | null {
  const buckets = Object.entries(counters)
    .flatMap(([name, count]) => {
      const step = name.match(/^h(-?\d+)$/)?.[1];
      return step !== undefined && typeof count === "number" ? [{ step: Number(step), count }] : [];
    })
    .sort((a, b) => a.step - b.step);
  const wanted = share * buckets.reduce((sum, { count }) => sum + count, 0);
  let seen = 0;
  for (const { step, count } of buckets) {
    seen += count;
    if (seen >= wanted) return 2 ** (step / STEPS_PER_DOUBLING);
  }
  return null;
}
