const SAMPLE_EVERY_MS = 10;

export interface Watched<Result> {
  result: Result;
  seconds: number;
  /** Peak resident memory during the run beyond that before it, in MB. */
  megabytes: number;
}

/** Measures how long something takes, and how much this process's memory grows during it. */
export async function watch<Result>(act: () => Promise<Result>): Promise<Watched<Result>> {
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  let most = before;
  const sampling = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, SAMPLE_EVERY_MS);
  const began = performance.now();
  try {
    const result = await act();
    return { result, seconds: (performance.now() - began) / 1000, megabytes: (most - before) / 1e6 };
  } finally {
    clearInterval(sampling);
  }
}
