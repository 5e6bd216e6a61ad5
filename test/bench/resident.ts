const SAMPLE_EVERY_MS = 10;

export interface Watched<Result> {
  result: Result;
  seconds: number;
  /** The most resident memory meanwhile, beyond what there was before, in MB. */
  megabytes: number;
}

/** How long something takes, and how far this process grows while it does. */
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
