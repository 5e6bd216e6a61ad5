import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";

const PATIENCE_MS = 15_000;
const INTERVAL_MS = 50;

/** Reads until the value is the expected one; for what remote engines tell only approximately or after a while. */
export async function expectEventually<T>(read: () => Promise<T>, expected: T): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const value = await read();
    try {
      expect(value).toEqual(expected);
      return;
    } catch (difference) {
      if (Date.now() > deadline) throw difference;
    }
    await sleep(INTERVAL_MS);
  }
}
