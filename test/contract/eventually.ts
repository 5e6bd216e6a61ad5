import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";

const TIMEOUT_MS = 15_000;
const INTERVAL_MS = 50;

/** Reads until the value is the expected one, for values that remote engines report only approximately or later. */
export async function expectEventually<T>(read: () => Promise<T>, expected: T): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MS;
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
