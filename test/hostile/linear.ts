import { LINEAR, orderOfGrowth, processorTimeOf } from "../support/processor-time.ts";

/** Whether all doublings up to the limit are measured with every shape, or only the most telling ones. */
export const IS_FULL = process.env.HOSTILE === "full";

/** Longest text that the service accepts. */
export const LIMIT = 100_000;
const SIZES = [LIMIT / 8, LIMIT / 4, LIMIT / 2, LIMIT];
/** Below this time for an eighth of the limit, the short form stops: quadratic growth would end near the limit. */
const MIN_MS = 20;
/** Below it the garbage collector and caches of texts affect the time more than the growth does. */
const NOISE_MS = 80;
/** Maximum time of one verb on a text at the limit. */
const MAX_MS = 2_000;
const ATTEMPTS = 6;

interface Measured {
  /** For the longest text that was measured, in milliseconds of this thread's processor time. */
  ms: number;
  length: number;
  /** The fault, in words. */
  fault?: string;
}

type Run = (text: string) => unknown;
type TextOf = (length: number) => string;

/**
 * Doubles a text and checks that the time grows in proportion. The short form stops below the noise, where even
 * quadratic growth would end within the limit, and after the first doubling that is in proportion. Short texts whose
 * words fit a cache take much less time, so the two last doublings decide.
 */
export async function measure(run: Run, textOf: TextOf, maxMs = MAX_MS): Promise<Measured> {
  // Other lengths than those of the attempts.
  const running = (length: number, attempt: number) => {
    const text = textOf(length - ATTEMPTS - attempt);
    return () => run(text);
  };
  let measured: Measured = { ms: 0, length: 0 };
  for (const [doublings, length] of SIZES.entries()) {
    const ms = await leastTime(run, textOf, length, maxMs);
    measured = { ms, length };
    if (ms < MIN_MS && !IS_FULL) return measured;
    if (ms > maxMs) return { ...measured, fault: `${length} characters took ${Math.round(ms)} ms` };
    if (doublings === 0 || IS_FULL || length === LIMIT) continue;
    if (ms < NOISE_MS || (await orderOfGrowth([length / 2, length], running, LINEAR)) <= LINEAR) return measured;
  }
  if (measured.ms < NOISE_MS) return measured;
  const order = await orderOfGrowth([LIMIT / 4, LIMIT], running, LINEAR);
  if (order <= LINEAR) return measured;
  return {
    ...measured,
    fault: `${LIMIT} characters took ${(4 ** order).toFixed(1)} times as long as a quarter of them`,
  };
}

/**
 * The least time of some attempts; the first one within the limit is enough. Each attempt has a text of its own, because
 * results of the last texts are cached.
 */
async function leastTime(run: Run, textOf: TextOf, length: number, maxMs: number): Promise<number> {
  let ms = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS && ms > maxMs; attempt++) {
    const text = textOf(length - attempt);
    ms = Math.min(ms, await processorTimeOf(() => run(text)));
  }
  return ms;
}
