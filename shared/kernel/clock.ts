/** Milliseconds since the epoch. Injected wherever time matters. */
export type Clock = () => number;

export const systemClock: Clock = Date.now;

/** ISO 8601 UTC with milliseconds: the contract's timestamp. */
export function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
