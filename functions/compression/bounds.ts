import { invalid } from "../../shared/kernel/errors.ts";

/** Characters that a request may have compressed: what a slow processor does in half of a request's time. */
const MOST_CHARACTERS = 8_000_000;
/** Hostile text takes longer than its length tells; beyond this work is given up, before the gateway does it. */
const MOST_MS = 15_000;

/** How often a text is compressed that is timed so often; the first time is not. */
export function passesOf(iterations: number): number {
  return iterations + 1;
}

/** Compresses so many characters in all. Throws VALIDATION_ERROR for more than a request has time for. */
export async function withinBounds<T>(characters: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  if (characters > MOST_CHARACTERS) {
    throw tooMuch(`this would compress ${characters} characters in all, and a request may compress ${MOST_CHARACTERS}`);
  }
  const signal = AbortSignal.timeout(MOST_MS);
  try {
    return await work(signal);
  } catch (error) {
    if (signal.aborted) throw tooMuch(`this took longer than the ${MOST_MS} ms that a request may take`);
    throw error;
  }
}

function tooMuch(why: string) {
  return invalid({ field: "iterations", problem: `${why}; ask for fewer iterations or algorithms, or give less text` });
}
