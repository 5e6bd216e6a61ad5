import type { ScheduledEvent } from "aws-lambda";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { MINUTE_MS } from "../../shared/kernel/durations.ts";
import { silentLogger } from "../../shared/kernel/logger.ts";
import { ScheduleLoop } from "./schedule-loop.ts";

const START = Date.parse("2026-05-01T12:00:00.000Z");

function setUp(handler: (event: ScheduledEvent) => Promise<unknown>, logger = silentLogger) {
  return new ScheduleLoop({ name: "sweep", everyMinutes: 5, handler, clock: Date.now, logger });
}

describe("ScheduleLoop", () => {
  beforeEach(() => void vi.useFakeTimers({ now: START }));
  afterEach(() => void vi.useRealTimers());

  it("runs at its start and then at its rate until it is stopped", async () => {
    const times: string[] = [];
    const loop = setUp(async ({ time, "detail-type": type, resources }) => {
      expect([type, resources[0]?.split("/").at(-1)]).toEqual(["Scheduled Event", "sweep"]);
      times.push(time);
    });
    loop.start();
    await vi.advanceTimersByTimeAsync(11 * MINUTE_MS);
    await loop.stop();
    await vi.advanceTimersByTimeAsync(60 * MINUTE_MS);
    expect(times).toEqual(["2026-05-01T12:00:00.000Z", "2026-05-01T12:05:00.000Z", "2026-05-01T12:10:00.000Z"]);
  });

  it("never runs twice at the same time, and a stop waits for the current run", async () => {
    const gate = Promise.withResolvers<void>();
    const handler = vi.fn(() => gate.promise);
    const loop = setUp(handler);
    loop.start();
    await vi.advanceTimersByTimeAsync(20 * MINUTE_MS);
    const drained = loop.drain();
    expect(handler).toHaveBeenCalledTimes(1);
    let isStopped = false;
    const stopped = loop.stop().then(() => {
      isStopped = true;
    });
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
    expect(isStopped).toBe(false);
    gate.resolve();
    await Promise.all([stopped, drained]);
  });

  it("logs a failed run, and runs again", async () => {
    const error = vi.fn();
    const handler = vi.fn(async () => {
      throw new Error("sweep crashed");
    });
    const loop = setUp(handler, { ...silentLogger, error });
    loop.start();
    await vi.advanceTimersByTimeAsync(5 * MINUTE_MS);
    await loop.stop();
    expect(handler).toHaveBeenCalledTimes(2);
    expect(error).toHaveBeenCalledWith("SCHEDULE_FAILED", { worker: "sweep", error: new Error("sweep crashed") });
  });
});
