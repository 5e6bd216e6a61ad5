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
const MAX_MS = 1_000;
const ATTEMPTS = 12;
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

/**
 * Doubles a text and checks that the time grows in proportion. The short form stops below the noise, where even
 * quadratic growth would end within the limit, and after the first doubling that is in proportion. A single step, as
 * where a text no longer fits a cache, is not a fault: quadratic growth shows in two doublings.
 */
export async function measure(run: Run, textOf: (length: number) => string, maxMs = MAX_MS): Promise<Measured> {
  let half: string | undefined;
  let hadStep = false;
  let measured: Measured = { ms: 0, length: 0 };
  for (const length of SIZES) {
    const text = textOf(length);
    const ms = await leastTime(run, text, maxMs);
    measured = { ms, length };
    if (ms < MIN_MS && !IS_FULL) return measured;
    const characters = `${length} characters took`;
    if (ms > maxMs) return { ...measured, fault: `${characters} ${Math.round(ms)} ms` };
    const growth = half === undefined || ms < NOISE_MS ? 0 : await growthOf(run, half, text);
    const isStep = growth > MAX_GROWTH;
    if (isStep && (hadStep || length === LIMIT)) {
      return { ...measured, fault: `${characters} ${growth.toFixed(1)} times as long as half of them` };
    }
    if (half !== undefined && !isStep && !IS_FULL) return measured;
    hadStep = isStep;
    half = text;
  }
  return measured;
}

/** The least time of some attempts; the first one within the limit is enough. */
async function leastTime(run: Run, text: string, maxMs: number): Promise<number> {
  let ms = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS && ms > maxMs; attempt++) {
    ms = Math.min(ms, await processorTimeOf(() => run(text)));
  }
  return ms;
}

/**
 * The time of a text divided by that of its half. Both are measured in turn, because a busy machine slows all that runs
 * at that moment: the first ratio within the limit is enough, otherwise the median of several counts.
 */
async function growthOf(run: Run, half: string, text: string): Promise<number> {
  const ratios: number[] = [];
  while (ratios.length < PAIRS) {
    const before = await processorTimeOf(() => run(half));
    const ratio = (await processorTimeOf(() => run(text))) / before;
    if (ratios.length === 0 && ratio <= MAX_GROWTH) return ratio;
    ratios.push(ratio);
  }
  return ratios.sort((left, right) => left - right)[(PAIRS - 1) / 2] ?? 0;
}
