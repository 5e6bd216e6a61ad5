import { invalid } from "../../shared/kernel/errors.ts";

/** Maximum characters to compress per request: half of a request's time on a slow processor. */
const MAX_CHARACTERS = 8_000_000;
/** Hostile text takes longer than its length suggests; work is aborted after this time, before the gateway does so. */
const MAX_MS = 15_000;

/** Number of compressions for this many timed iterations; the first one is a warm-up. */
export function passesOf(iterations: number): number {
  return iterations + 1;
}

/** Runs compression of this many characters. Throws VALIDATION_ERROR for more than a request has time for. */
export async function withinBounds<T>(characters: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  if (characters > MAX_CHARACTERS) {
    throw tooMuch(`this would compress ${characters} characters in all, and a request may compress ${MAX_CHARACTERS}`);
  }
  const signal = AbortSignal.timeout(MAX_MS);
  try {
    return await work(signal);
  } catch (error) {
    if (signal.aborted) throw tooMuch(`this took longer than the ${MAX_MS} ms that a request may take`);
    throw error;
  }
}

function tooMuch(why: string) {
  return invalid({ field: "iterations", problem: `${why}; ask for fewer iterations or algorithms, or give less text` });
}
