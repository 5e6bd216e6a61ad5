/** Returns milliseconds since the epoch. Injected wherever time matters. */
export type Clock = () => number;

/** The length of an ISO 8601 date. */
export const DATE_LENGTH = "2026-01-31".length;

export const systemClock: Clock = Date.now;

/** Returns the contract's timestamp, ISO 8601 in UTC with milliseconds, of epoch milliseconds. */
export function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** Returns the date of a moment: of epoch milliseconds in UTC, of an ISO 8601 text in its own time zone. */
export function dateOf(moment: number | string): string {
  return (typeof moment === "number" ? timestamp(moment) : moment).slice(0, DATE_LENGTH);
}

/** Returns options of an `LRUCache` whose entries are valid for less than `validMs` by the clock, which is never 0. */
export function validFor(validMs: number, clock: Clock) {
  return { ttl: validMs - 1, ttlResolution: 0, perf: { now: clock } };
}
