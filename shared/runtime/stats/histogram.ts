/** Each bucket ends at 2^(1/8) times the former's upper limit, which names it: a percentile is 0 to 9.1 % too high. */
const STEPS_PER_DOUBLING = 8;
/** Shorter durations share one bucket, and longer ones share another. */
const MIN_MS = 0.125;
const MAX_MS = 2 ** 20;

const PREFIX = "upto";

/** Returns the name of a duration's bucket counter in the record of the histogram. */
export function bucketOf(milliseconds: number): string {
  const bounded = Math.min(Math.max(milliseconds, MIN_MS), MAX_MS);
  return PREFIX + Math.ceil(Math.log2(bounded) * STEPS_PER_DOUBLING);
}

/** Sums the counters of several records, including histograms. */
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

function bucketsIn(counters: Record<string, unknown>): { step: number; count: number }[] {
  return Object.entries(counters).flatMap(([name, count]) => {
    const step = BUCKET.exec(name)?.[1];
    return step !== undefined && typeof count === "number" ? [{ step: Number(step), count }] : [];
  });
}

/** Returns the percentile for `share` (0..1) in milliseconds; null without any durations. */
export function percentile(counters: Record<string, unknown>, share: number): number | null {
  const buckets = bucketsIn(counters).sort((a, b) => a.step - b.step);
  const wanted = share * buckets.reduce((sum, { count }) => sum + count, 0);
  let seen = 0;
  for (const { step, count } of buckets) {
    seen += count;
    if (seen >= wanted) return 2 ** (step / STEPS_PER_DOUBLING);
  }
  return null;
}

/** Returns cumulative counts per power of two, from 1/8 ms to 17 minutes, for Prometheus; the last is the total. */
export function cumulativeHistogram(counters: Record<string, unknown>): { upTo: number; count: number }[] {
  const doublings = Array.from(
    { length: Math.log2(MAX_MS) - Math.log2(MIN_MS) + 1 },
    (_, index) => Math.log2(MIN_MS) + index,
  );
  const buckets = bucketsIn(counters);
  return doublings.map((doubling) => {
    const within = buckets.filter(({ step }) => step <= doubling * STEPS_PER_DOUBLING);
    return { upTo: 2 ** doubling, count: within.reduce((sum, { count }) => sum + count, 0) };
  });
}
