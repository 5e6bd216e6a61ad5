import { processorTimeOf } from "../support/processor-time.ts";

/** Whether all doublings up to the limit are measured with every shape, or only the most telling ones. */
export const IS_FULL = process.env.HOSTILE === "full";

/** Longest text that the service accepts. */
export const LIMIT = 100_000;
const SIZES = [LIMIT / 8, LIMIT / 4, LIMIT / 2, LIMIT];
/** Below this time for an eighth of the limit, the short form stops: quadratic growth would end near the limit. */
const MIN_MS = 20;
/** Below it the garbage collector and caches of texts affect the time more than the growth does. */
const NOISE_MS = 80;
/** Maximum growth of the time when the text doubles. */
const MAX_GROWTH = 2.5;
/** Maximum time of one verb on a text at the limit. */
const MAX_MS = 2_000;
const ATTEMPTS = 6;
/** Odd, so that one of them is the median. */
const PAIRS = 5;

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
  let measured: Measured = { ms: 0, length: 0 };
  for (const [doublings, length] of SIZES.entries()) {
    const ms = await leastTime(run, textOf, length, maxMs);
    measured = { ms, length };
    if (ms < MIN_MS && !IS_FULL) return measured;
    if (ms > maxMs) return { ...measured, fault: `${length} characters took ${Math.round(ms)} ms` };
    if (doublings === 0 || IS_FULL || length === LIMIT) continue;
    if (ms < NOISE_MS || (await growthOf(run, textOf, length, 1)) <= MAX_GROWTH) return measured;
  }
  if (measured.ms < NOISE_MS) return measured;
  const growth = await growthOf(run, textOf, LIMIT, 2);
  if (growth <= MAX_GROWTH ** 2) return measured;
  return { ...measured, fault: `${LIMIT} characters took ${growth.toFixed(1)} times as long as a quarter of them` };
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

/**
 * The time of a text divided by that of the text before these doublings. Both are measured in turn, because a busy
 * machine slows all that runs at that moment: the first ratio within the limit is enough, otherwise their median counts.
 */
async function growthOf(run: Run, textOf: TextOf, length: number, doublings: number): Promise<number> {
  const ratios: number[] = [];
  for (let pair = 0; pair < PAIRS; pair++) {
    // Other lengths than those of the attempts.
    const [part, text] = [textOf(length / 2 ** doublings - ATTEMPTS - pair), textOf(length - ATTEMPTS - pair)];
    const before = Math.max(MIN_MS, await processorTimeOf(() => run(part)));
    const ratio = (await processorTimeOf(() => run(text))) / before;
    if (pair === 0 && ratio <= MAX_GROWTH ** doublings) return ratio;
    ratios.push(ratio);
  }
  return ratios.sort((left, right) => left - right)[(PAIRS - 1) / 2] ?? 0;
}
