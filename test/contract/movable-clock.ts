import type { Clock } from "../../shared/kernel/clock.ts";

/**
 * A clock that changes only when it is moved. It starts at the real time, so that a real engine's own expiry agrees.
 */
export interface MovableClock {
  now: Clock;
  advance(milliseconds: number): void;
}

export function movableClock(): MovableClock {
  let milliseconds = Date.now();
  return {
    now: () => milliseconds,
    advance: (by) => {
      milliseconds += by;
    },
  };
}
