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

interface Measured {
  /** For the longest text that was measured, in milliseconds of this thread's processor time. */
  ms: number;
  length: number;
  /** The fault, in words. */
  fault?: string;
}

/**
 * Doubles a text and checks that the time grows in proportion. The short form stops below the noise, where even
 * quadratic growth would end within the limit, and after the first doubling that is in proportion. A single step, as
 * where a text no longer fits a cache, is not a fault: quadratic growth shows in two doublings.
 */
export async function measure(
  run: (text: string) => unknown,
  textOf: (length: number) => string,
  maxMs = MAX_MS,
): Promise<Measured> {
  let before: number | undefined;
  let hadStep = false;
  let measured: Measured = { ms: 0, length: 0 };
  for (const length of SIZES) {
    const text = textOf(length);
    let ms = await processorTimeOf(() => run(text));
    if (ms < MIN_MS && !IS_FULL) return { ms, length };
    const allowed = Math.min(maxMs, before === undefined ? maxMs : Math.max(NOISE_MS, before * MAX_GROWTH));
    for (let attempt = 1; attempt < ATTEMPTS && ms > allowed; attempt++) {
      ms = Math.min(ms, await processorTimeOf(() => run(text)));
    }
    measured = { ms, length };
    const isStep = ms > allowed;
    if (ms > maxMs || (isStep && (hadStep || length === LIMIT))) {
      const cause = before === undefined ? "" : `, ${length / 2} took ${Math.round(before)} ms`;
      return { ...measured, fault: `${length} characters took ${Math.round(ms)} ms${cause}` };
    }
    if (before !== undefined && !isStep && !IS_FULL) return measured;
    hadStep = isStep;
    before = ms;
  }
  return measured;
}
