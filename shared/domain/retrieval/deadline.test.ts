import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import { within } from "./deadline.ts";

const TIMED_OUT = { code: "SEARCH_TIMEOUT", details: { timeout_ms: 20 } };

it("answers what is done in time, and takes the alarm back", async () => {
  let given: AbortSignal | undefined;
  const answer = within(20, async (signal) => {
    given = signal;
    return "done";
  });
  await expect(answer).resolves.toBe("done");
  await delay(40);
  expect(given?.aborted).toBe(false);
});

it("gives up work that hangs, and tells it so", async () => {
  let given: AbortSignal | undefined;
  const hanging = within(20, (signal) => {
    given = signal;
    return new Promise(() => {});
  });
  await expect(hanging).rejects.toMatchObject(TIMED_OUT);
  expect(given?.reason).toMatchObject(TIMED_OUT);
});

it("says so too when the work fails because it was told", async () => {
  const failing = within(20, async (signal) => {
    await delay(1000, undefined, { signal });
  });
  await expect(failing).rejects.toMatchObject(TIMED_OUT);
});

it("refuses what held up the process for too long", async () => {
  const blocking = within(20, async () => {
    const end = performance.now() + 40;
    while (performance.now() < end);
    return "late";
  });
  await expect(blocking).rejects.toMatchObject(TIMED_OUT);
});

it("lets failures through as they are", async () => {
  const failing = within(20, async () => {
    throw new Error("broken");
  });
  await expect(failing).rejects.toThrow("broken");
});
