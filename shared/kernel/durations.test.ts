import { expect, it } from "vitest";
import { DAY_MS, HOUR_MS, msUntil, SECOND_MS } from "./durations.ts";

it.each([
  { what: "a time that passed", in: -SECOND_MS, waits: 0 },
  { what: "a time that comes", in: SECOND_MS, waits: SECOND_MS },
  { what: "a time beyond what a timer can wait", in: 30 * DAY_MS, waits: HOUR_MS },
  { what: "no time at all", in: Number.POSITIVE_INFINITY, waits: HOUR_MS },
])("waits $waits ms for $what", ({ in: distance, waits }) => {
  const now = Date.parse("2026-03-02T09:00:00Z");
  expect(msUntil(now + distance, now)).toBe(waits);
});
