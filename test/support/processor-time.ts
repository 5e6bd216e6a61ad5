/** Milliseconds of this thread's processor time: other processes and threads of a busy machine do not count. */
export async function processorTimeOf(run: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await run();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

/** Bounds of `orderOfGrowth`. Ten times the data costs at most four times where time does not grow with it. */
export const CONSTANT = Math.log10(4);
/** In proportion: between that and the square. */
export const LINEAR = 1.5;

const ATTEMPTS = 5;
/** Below this, the processor's clock is too coarse for a ratio, and a garbage collection too long. */
const FLOOR_MS = 20;

/**
 * How processor time grows with a size: 0 not at all, 1 in proportion, 2 with the square. What else the process does
 * only adds time, so the least times count. They are measured in turn, each on its own data, until they are in bound.
 */
export async function orderOfGrowth(
  [less, more]: readonly [number, number],
  prepare: (size: number, attempt: number) => (() => unknown) | Promise<() => unknown>,
  bound: number,
): Promise<number> {
  const warmUp = await prepare(less, 0);
  await warmUp();
  const least = { less: Number.POSITIVE_INFINITY, more: Number.POSITIVE_INFINITY };
  let order = Number.POSITIVE_INFINITY;
  for (let attempt = 1; attempt <= ATTEMPTS && order > bound; attempt++) {
    least.less = Math.min(least.less, await processorTimeOf(await prepare(less, attempt)));
    least.more = Math.min(least.more, await processorTimeOf(await prepare(more, attempt)));
    order = Math.log(Math.max(FLOOR_MS, least.more) / Math.max(FLOOR_MS, least.less)) / Math.log(more / less);
  }
  return order;
}
