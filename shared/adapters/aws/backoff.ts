import { setTimeout as sleep } from "node:timers/promises";

const ATTEMPTS = 12;
const FIRST_PAUSE_MS = 20;
const MAX_PAUSE_MS = 1_000;

/**
 * Yields once per attempt, after exponentially growing pauses, each a random share of its maximum ("full jitter"), so
 * that conflicting writers do not collide again. Ends after the last attempt.
 */
export async function* attempts(): AsyncGenerator<number, void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (attempt > 0) await sleep(Math.random() * Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1)));
    yield attempt;
  }
}
