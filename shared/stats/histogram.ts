/**
 * Buckets a factor of 2^(1/8) apart, each named by its upper edge: a percentile read back is at most 9.1 % too long, and
 * never too short, so that of one duration it is not below the mean.
 */
const STEPS_PER_DOUBLING = 8;
/** Below it durations are one bucket, above it another. */
const SHORTEST_MS = 0.125;
const LONGEST_MS = 2 ** 20;

const PREFIX = "upto";

/** Name of the counter a duration falls into, in the record that keeps the histogram. */
export function bucketOf(milliseconds: number): string {
  const bounded = Math.min(Math.max(milliseconds, SHORTEST_MS), LONGEST_MS);
  return PREFIX + Math.ceil(Math.log2(bounded) * STEPS_PER_DOUBLING);
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

const BUCKET = new RegExp(`^${PREFIX}(-?\\d+)$`);

/** The duration that `share` (0..1) of those counted stay within, in milliseconds; null when none was counted. */
export function percentile(counters: Record<string, unknown>, share: number): number | null {
  const buckets = Object.entries(counters)
    .flatMap(([name, count]) => {
      const step = BUCKET.exec(name)?.[1];
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
