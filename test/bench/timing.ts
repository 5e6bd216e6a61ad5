/** The run times of one function, in milliseconds. */
export interface Timings {
  mean: number;
  p50: number;
  p95: number;
}

/**
 * Times several functions against each other: one run of each in turn, so that other load on the machine affects all of
 * them alike. The first tenth of the runs is warm-up and does not count.
 */
export async function timeTogether<Name extends string>(
  runs: number,
  things: Record<Name, (run: number) => unknown>,
): Promise<Record<Name, Timings>> {
  const named = Object.entries(things) as [Name, (run: number) => unknown][];
  const times = new Map(named.map(([name]) => [name, [] as number[]]));
  const warmUp = Math.ceil(runs / 10);
  for (let run = 0; run < warmUp + runs; run++) {
    for (const [name, act] of named) {
      const startedAt = performance.now();
      await act(run);
      if (run >= warmUp) times.get(name)?.push(performance.now() - startedAt);
    }
  }
  return Object.fromEntries([...times].map(([name, all]) => [name, summarize(all)])) as Record<Name, Timings>;
}

export function summarize(times: number[]): Timings {
  const mean = times.reduce((sum, each) => sum + each, 0) / times.length;
  return { mean, p50: percentile(times, 0.5), p95: percentile(times, 0.95) };
}

export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
