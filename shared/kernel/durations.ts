export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
export const DAY_SECONDS = DAY_MS / SECOND_MS;

/** Node's timers fire at once beyond 24 days, and a clock that was wrong may be set before a time that seems far. */
const MAX_WAIT_MS = HOUR_MS;

/** Milliseconds for a timer that waits until a time of the clock: 0 if it has passed, and at most an hour. */
export function msUntil(time: number, now: number): number {
  return Math.min(Math.max(0, time - now), MAX_WAIT_MS);
}
