/** Returns milliseconds since the epoch. Injected wherever time matters. */
export type Clock = () => number;

export const systemClock: Clock = Date.now;

/** Returns the contract's timestamp, ISO 8601 in UTC with milliseconds, of epoch milliseconds. */
export function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** Returns options of an `LRUCache` whose entries are valid for less than `validMs` by the clock, which is never 0. */
export function validFor(validMs: number, clock: Clock) {
  return { ttl: validMs - 1, ttlResolution: 0, perf: { now: clock } };
}
