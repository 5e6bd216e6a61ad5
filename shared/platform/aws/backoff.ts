import { setTimeout as sleep } from "node:timers/promises";

const ATTEMPTS = 12;
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 1_000;

/**
 * Yields once an attempt and pauses in between, exponentially longer, each pause a random share of its ceiling ("full
 * jitter"), so that writers who met once do not meet again in step. Ends when it is time to give up.
 */
export async function* attempts(): AsyncGenerator<number, void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (attempt > 0) await sleep(Math.random() * Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1)));
    yield attempt;
  }
}
