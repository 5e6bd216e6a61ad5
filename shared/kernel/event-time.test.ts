import { describe, expect, it } from "vitest";
import { eventTimeOf, eventTimeOfNumber, hasOffset, inTimeZone, isTimeZone, toEventTime } from "./event-time.ts";

describe("a moment with its offset", () => {
  it.each([
    ["2026-03-01T23:30:00-05:00", "2026-03-01T23:30:00.000-05:00"],
    ["2026-03-01T00:10+13:45", "2026-03-01T00:10:00.000+13:45"],
    ["2026-03-01T12:00:00.123456Z", "2026-03-01T12:00:00.123Z"],
    ["2026-03-01T12:00:00+00:00", "2026-03-01T12:00:00.000+00:00"],
    ["2026-03-01T12:00:00-00:00", "2026-03-01T12:00:00.000Z"],
    ["2026-03-01", "2026-03-01T00:00:00.000+00:00"],
    ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"],
    ["9999-12-31T23:59:59Z", "9999-12-31T23:59:59.000Z"],
  ])("%s keeps its offset, with milliseconds", (given, expected) => {
    expect(toEventTime(given)).toBe(expected);
    expect(Date.parse(expected)).toBe(Math.trunc(Date.parse(given)));
    expect(toEventTime(expected)).toBe(expected);
  });

  it.each([
    "0000-12-31T23:59:59Z",
    "0001-01-01T00:00:00+01:00",
    "0001-01-01T00:00:00-00:01x",
    "9999-12-31T23:59:59-00:01",
    "tomorrow",
  ])("%s is invalid", (given) => {
    expect(toEventTime(given)).toBeUndefined();
  });

  it("distinguishes an offset from a bare instant", () => {
    expect(hasOffset("2026-03-01T12:00:00.000Z")).toBe(false);
    expect(hasOffset("2026-03-01T12:00:00.000+00:00")).toBe(true);
  });
});

describe("a number", () => {
  it.each([
    [1_700_000_000, "2023-11-14T22:13:20.000Z"],
    [1_700_000_000.5, "2023-11-14T22:13:20.500Z"],
    [1_700_000_000_000, "2023-11-14T22:13:20.000Z"],
    [4_000_000_000, "2096-10-02T07:06:40.000Z"],
  ])("%d is seconds or milliseconds by its size", (given, expected) => {
    expect(eventTimeOfNumber(given)).toBe(expected);
  });

  it.each([Number.MAX_SAFE_INTEGER, 8.64e15, Number.POSITIVE_INFINITY, Number.NaN])("%d is invalid", (given) => {
    expect(eventTimeOfNumber(given)).toBeUndefined();
  });
});

describe("a time zone", () => {
  it.each([
    ["2026-01-01T02:00:00.000Z", "America/New_York", "2025-12-31T21:00:00.000-05:00"],
    ["2026-07-01T02:00:00.000Z", "America/New_York", "2026-06-30T22:00:00.000-04:00"],
    ["2026-07-01T02:00:00.000Z", "Asia/Kathmandu", "2026-07-01T07:45:00.000+05:45"],
    ["2026-07-01T02:00:00.000Z", "UTC", "2026-07-01T02:00:00.000+00:00"],
    ["1900-01-01T00:00:00.000Z", "Europe/Amsterdam", expect.stringMatching(/^1900-01-01T00:/)],
  ])("%s in %s", (moment, zone, expected) => {
    expect(inTimeZone(moment, zone)).toEqual(expected);
  });
});

describe("a time in responses", () => {
  const created_at = "2026-01-01T00:00:00.000Z";
  const now = Date.parse(created_at);

  it.each([
    ["2026-01-01T01:00:00.000+01:00", undefined],
    ["2026-01-01T00:59:59.999+01:00", undefined],
    ["2026-01-01T01:00:00.001+01:00", true],
  ])("%s is planned while it is in the future: %s", (occurred_at, planned) => {
    expect(eventTimeOf({ occurred_at, created_at }, now)).toEqual({ occurred_at, ...(planned && { planned }) });
  });

  it("a creation time is never planned, even if another process's clock is ahead", () => {
    expect(eventTimeOf({ created_at }, now - 5000)).toEqual({ occurred_at: created_at });
  });
});

it.each([
  ["Europe/Berlin", true],
  ["UTC", true],
  ["america/new_york", true],
  ["+02:00", false],
  ["Europe/Atlantis", false],
  ["Berlin", false],
  ["", false],
  ["Europe/Berlin ", false],
])("%j is a time zone: %s", (name, isOne) => {
  expect(isTimeZone(name)).toBe(isOne);
});
