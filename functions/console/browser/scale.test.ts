import { describe, expect, it } from "vitest";
import { timeTicks, toSlots, valueTicks } from "./scale.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe("valueTicks", () => {
  it.each([
    [0, [0, 1]],
    [Number.NEGATIVE_INFINITY, [0, 1]],
    [3, [0, 1, 2, 3]],
    [4, [0, 1, 2, 3, 4]],
    [54, [0, 20, 40, 60]],
    [0.034, [0, 0.01, 0.02, 0.03, 0.04]],
    [5321, [0, 2000, 4000, 6000]],
    [100, [0, 50, 100]],
  ])("cover 0 to at least %d in round steps", (most, ticks) => {
    expect(valueTicks(most, { wanted: 4, min: 0 })).toEqual(ticks);
  });

  it("are whole numbers for counts", () => {
    expect(valueTicks(1, { wanted: 4, min: 1 })).toEqual([0, 1]);
  });
});

describe("timeTicks", () => {
  const minutes = Array.from({ length: 60 }, (_, index) => Date.parse("2025-03-10T05:17:00Z") + index * MINUTE);

  it("labels round times", () => {
    const times = timeTicks(minutes, 8 * MINUTE, () => 0).map((slot) => new Date(minutes[slot]!).toISOString());
    expect(times.map((time) => time.slice(11, 16))).toEqual(["05:20", "05:30", "05:40", "05:50", "06:00", "06:10"]);
  });

  it("uses the reader's time zone, even with a half-hour offset", () => {
    const hours = Array.from({ length: 24 }, (_, index) => Date.parse("2025-03-10T00:00:00Z") + index * HOUR);
    expect(timeTicks(hours, 5 * HOUR, () => -60)).toEqual([5, 11, 17, 23]);
    expect(timeTicks(minutes, 30 * MINUTE, () => -330)).toEqual([13, 43]);
  });
});

describe("toSlots", () => {
  const now = Date.parse("2025-03-10T05:16:23Z");
  const axis = { stepMs: MINUTE, length: 3, now };

  it("creates a slot for every minute up to now, even without a point", () => {
    const { times, valuesOf } = toSlots([{ at: "2025-03-10T05:15:00.000Z", requests: 7 }], axis);
    expect(times.map((time) => new Date(time).toISOString().slice(11, 16))).toEqual(["05:14", "05:15", "05:16"]);
    expect(valuesOf(({ requests }) => requests, 0)).toEqual([0, 7, 0]);
  });

  it("omits earlier points, and extends to a point ahead of the browser's clock", () => {
    const points = [
      { at: "2025-03-10T04:00:00.000Z", requests: 1 },
      { at: "2025-03-10T05:17:00.000Z", requests: 2 },
    ];
    expect(toSlots(points, axis).valuesOf<number | null>(({ requests }) => requests, null)).toEqual([null, null, 2]);
  });
});
